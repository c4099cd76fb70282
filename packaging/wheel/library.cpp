// What a wheel's library shows to its command. cli/main.cpp is compiled into the library with this name for its main.
int lockstep_command_line(int argc, char** argv);

extern "C" __attribute__((visibility("default"))) int lockstep_main(int argc, char** argv) {
  return lockstep_command_line(argc, argv);
}
