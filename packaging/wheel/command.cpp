// The command of a wheel: all of Lockstep is in the library that the package's extensions use, too.
extern "C" int lockstep_main(int argc, char** argv);

int main(int argc, char** argv) { return lockstep_main(argc, argv); }
