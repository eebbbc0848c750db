"""`aws eks get-token` of the AWS CLI 1 at a given instant: eks_token.py 2026-11-23T12:00:00Z --cluster-name NAME …

Its clock is replaced, and nothing else. It asks nobody: the token is a request that it signs.
"""

import datetime
import sys

import awscli.clidriver
import awscli.customizations.eks.get_token
import botocore.auth

instant, *words = sys.argv[1:]
now = datetime.datetime.fromisoformat(instant)
for module in (botocore.auth, awscli.customizations.eks.get_token):
    module.get_current_datetime = lambda remove_tzinfo=True: (
        now.replace(tzinfo=None) if remove_tzinfo else now
    )
sys.exit(awscli.clidriver.create_clidriver().main(["eks", "get-token", *words]))
