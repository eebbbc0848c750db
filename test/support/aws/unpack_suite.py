"""Unpacks AWS's test suite for signatures out of botocore's source: unpack_suite.py ARCHIVE FOLDER."""

import os
import sys
import tarfile

archive, folder = sys.argv[1:]
suite = "/tests/unit/auth/aws4_testsuite/"
with tarfile.open(archive) as source:
    for each in source.getmembers():
        _, found, below = each.name.partition(suite)
        if not found or not each.isfile():
            continue
        path = os.path.join(folder, *below.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(source.extractfile(each).read())
