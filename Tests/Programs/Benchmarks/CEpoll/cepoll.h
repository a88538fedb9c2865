// What Swift's Glibc module leaves out and the benchmarks need.

#ifndef CEPOLL_H
#define CEPOLL_H

#include <sys/epoll.h>

#endif
