import Glibc

// Functions of the C library that Swift does not import, because they take any number of arguments. On Linux they can be
// called like those that take a fixed number.

/// ptrace(2).
let trace = function("ptrace", as: (@convention(c) (CInt, pid_t, Int, Int) -> Int).self)
/// syscall(2), with three arguments.
let systemCall = function("syscall", as: (@convention(c) (Int, Int, Int, Int) -> Int).self)

/// The kernel's numbers of system calls (asm/unistd.h).
enum SystemCallNumber {
    #if arch(x86_64)
        static let setresuid = 117
        static let setresgid = 119
    #elseif arch(arm64)
        static let setresuid = 147
        static let setresgid = 149
    #endif
}

private func function<Function>(_ name: String, as type: Function.Type) -> Function {
    // The type is that of the C declaration, for the arguments that the calls here pass.
    unsafeBitCast(dlsym(dlopen(nil, RTLD_NOW), name), to: type)
}
