# The Python package and the command: pkgs.python3Packages.callPackage ./package.nix { }. Not built yet.
{
  lib,
  buildPythonPackage,
  fetchurl,
  pythonOlder,
  scikit-build-core,
  pybind11,
  cmake,
  ninja,
  boost,
  cli11,
  eigen,
  fmt,
  nlohmann_json,
  spdlog,
  zlib,
}:

buildPythonPackage rec {
  pname = "triton-lockstep";
  version = "0.1.0";
  pyproject = true;
  disabled = pythonOlder "3.10";

  src = fetchurl {
    url = "@URL@";
    sha256 = "@SHA256@";
  };

  build-system = [
    scikit-build-core
    pybind11
  ];
  nativeBuildInputs = [
    cmake
    ninja
  ];
  buildInputs = [
    boost
    cli11
    eigen
    fmt
    nlohmann_json
    spdlog
    zlib
  ];
  dontUseCmakeConfigure = true;

  pythonImportsCheck = [ "lockstep" ];

  meta = {
    description = "Runs and explains Triton kernels without a GPU";
    license = lib.licenses.asl20;
    mainProgram = "lockstep";
    platforms = lib.platforms.linux ++ lib.platforms.darwin;
  };
}
