// The extension `_native` of one Python in a wheel: its bindings are in the library beside it, compiled for that Python.
// No header of Python is needed: a module is handed through.
extern "C" void* LOCKSTEP_BINDINGS();

extern "C" __attribute__((visibility("default"))) void* PyInit__native();
extern "C" void* PyInit__native() { return LOCKSTEP_BINDINGS(); }
