"""Signs requests again with botocore: a JSON object a line on stdin, one a line on stdout.

In: method, url, headers ([[name, value], …], those that are signed but host), date (x-amz-date), region, service,
accessKeyId, secretAccessKey, sessionToken (or null). Out: canonicalRequest, authorization.
"""

import datetime
import json
import sys

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.compat import HTTPHeaders
from botocore.credentials import Credentials


class ShowingAuth(botocore.auth.SigV4Auth):
    """Keeps the canonical request, which the library only logs."""

    def canonical_request(self, request):
        self.shown = super().canonical_request(request)
        return self.shown


for line in sys.stdin:
    asked = json.loads(line)
    keys = Credentials(asked["accessKeyId"], asked["secretAccessKey"], asked["sessionToken"])
    auth = ShowingAuth(keys, asked["service"], asked["region"])
    request = AWSRequest(method=asked["method"], url=asked["url"])
    headers = HTTPHeaders()
    for name, value in asked["headers"]:
        headers[name] = value
    request.headers = headers
    instant = datetime.datetime.strptime(asked["date"], botocore.auth.SIGV4_TIMESTAMP)
    botocore.auth.get_current_datetime = lambda: instant
    auth.add_auth(request)
    answer = {"canonicalRequest": auth.shown, "authorization": request.headers["Authorization"]}
    print(json.dumps(answer), flush=True)
