#!/usr/bin/env python3
"""Signs requests for Lanyard: X-Signature has an HMAC-SHA256 with the key in SIGNING_KEY. See docs/request-signers.md."""

import hashlib
import hmac
import json
import os
import sys


def sign(key: bytes, request: dict) -> list:
    text = "\n".join(
        [request["method"], request["host"], request["path"], request["bodySha256"] or "UNSIGNED"]
    )
    signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    return [["X-Signature", signature]]


def answer(key: str, request: dict) -> dict:
    if request["version"] != 1:
        return {"error": f"this signer knows version 1, not {request['version']}"}
    if not key:
        return {"error": "SIGNING_KEY is not set: lanyard secret set ACCOUNT/env.SIGNING_KEY"}
    return {"headers": sign(key.encode(), request)}


def main() -> None:
    key = os.environ.get("SIGNING_KEY", "")
    # The bytes are UTF-8 in every locale.
    for line in sys.stdin.buffer:
        request = json.loads(line)
        reply = {"id": request["id"], **answer(key, request)}
        sys.stdout.buffer.write(json.dumps(reply).encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
