#include<samplerate.h>
