#!/usr/bin/env python3
"""Packs debugger/vscode as lockstep-debug-VERSION.vsix: `code --install-extension FILE`. The same tree makes the same bytes."""

import json
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

ROOT = Path(__file__).resolve().parents[1]
FILES = {"extension/package.json": "debugger/vscode/package.json", "extension/extension.js": "debugger/vscode/extension.js", "extension/proofs.js": "debugger/vscode/proofs.js",
         "extension/README.md": "debugger/vscode/README.md", "extension/LICENSE.txt": "LICENSE"}  # fmt: skip
TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="json" ContentType="application/json"/>
  <Default Extension="js" ContentType="application/javascript"/>
  <Default Extension="md" ContentType="text/markdown"/>
  <Default Extension="txt" ContentType="text/plain"/>
  <Default Extension="vsixmanifest" ContentType="text/xml"/>
</Types>
"""


def manifest(package: dict) -> str:
    """extension.vsixmanifest: what the editor shows and asks of its own version."""
    identity = " ".join(f"{name}={quoteattr(value)}" for name, value in (
        ("Language", "en-US"), ("Id", package["name"]), ("Version", package["version"]), ("Publisher", package["publisher"])))  # fmt: skip
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity {identity}/>
    <DisplayName>{escape(package["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(package["description"])}</Description>
    <Tags>debuggers</Tags>
    <Categories>{escape(",".join(package["categories"]))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(package["engines"]["vscode"])}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def make(folder: Path) -> Path:
    """Writes the file; its name has the extension's name and version."""
    package = json.loads((ROOT / "debugger/vscode/package.json").read_text(encoding="utf-8"))
    path = folder / f"{package['name']}-{package['version']}.vsix"
    parts = {"[Content_Types].xml": TYPES.encode(), "extension.vsixmanifest": manifest(package).encode()}
    parts |= {name: (ROOT / source).read_bytes() for name, source in FILES.items()}
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return path


if __name__ == "__main__":
    print(make(Path(sys.argv[1] if len(sys.argv) > 1 else "dist")))
