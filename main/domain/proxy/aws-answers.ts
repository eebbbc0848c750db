import type { Advice, ShownTry } from '../../contract/shown-try.ts';
import { visibleLine } from '../text/visible-text.ts';
import { canonicalDifference } from './canonical-difference.ts';
import type { SignStep } from './chain.ts';
import { endedSessionHint, type KeysAccount, wrongSecretHint } from './signing-keys-advice.ts';

/** What is known of an answer. */
export interface AwsAnswer extends Pick<ShownTry, 'url' | 'attempts'> {
  cluster: string;
  /** The step that signs with AWS keys. */
  signed: SignStep | null;
  /** The account that it signs with. */
  keys: KeysAccount | null;
  /** The service’s own. */
  message: string;
}

/**
 * What AWS’s services answer to signed requests, and what to do: IAM User Guide, “Troubleshoot signed requests”; API
 * Gateway’s gateway responses; VPC Lattice’s auth policies. In the order in which they are looked for: some messages
 * share a type.
 */
export const awsAnswers: readonly {
  /** The error’s type. */
  named?: RegExp;
  says?: RegExp;
  advice(of: AwsAnswer): Advice;
}[] = [
  {
    says: /Signature (expired|not yet current)|Date in Credential scope does not match/i,
    advice: () => ({
      text: 'the service has another time than the request was signed for',
      hint: 'set this computer’s clock',
    }),
  },
  { says: /scoped to a valid region/i, advice: wrongRegion },
  { says: /scoped to correct service/i, advice: wrongService },
  {
    named: /^MissingAuthenticationToken/,
    says: /^Missing Authentication Token$/i,
    advice: ({ signed, cluster }) =>
      signed
        ? {
            text: 'API Gateway says this of a path or method that it has no route for, too',
            hint: `see whether the server of ${cluster} has the stage in its path, and whether the API has a route for this one`,
          }
        : {
            text: 'the service wants signed requests, and this one isn’t signed',
            hint: `add a step that signs: sign, service and region in the chain of ${cluster}`,
          },
  },
  {
    named: /^ExpiredToken/,
    says: /security token included in the request is expired/i,
    advice: ({ signed, keys }) => ({
      text: `the session of ${keysOf(signed)} has expired`,
      hint: keys && endedSessionHint(keys),
    }),
  },
  {
    named: /^(UnrecognizedClient|InvalidClientTokenId)/,
    says: /security token included in the request is invalid/i,
    advice: ({ signed }) => ({
      text: `AWS doesn’t know ${keysOf(signed)}: the access key was deleted, is another partition’s, or lacks its session token`,
      hint: `see which key it is: lanyard status${signed ? `; then give ${signed.account} one that is active` : ''}`,
    }),
  },
  {
    named: /^(InvalidSignature|SignatureDoesNotMatch)/,
    says: /signature we calculated does not match/i,
    advice: mismatch,
  },
  {
    named: /^IncompleteSignature/,
    advice: () => ({
      text: 'the service reads Authorization as a signature, and it is none',
      hint: 'a step that signs has to be the last that sets Authorization',
    }),
  },
  {
    says: /is not authorized to perform: \S+/i,
    advice: notAllowed,
  },
  {
    named: /^AccessDenied/,
    advice: ({ signed }) => ({
      text: signed
        ? `the service denies access to ${keysOf(signed)}`
        : 'the service denies access: the request isn’t signed',
      hint: signed
        ? 'look at the auth policies of the service and of its network, and at the policies of the role'
        : 'add a step that signs: sign, service and region in the cluster’s chain',
    }),
  },
  {
    named: /^Forbidden/,
    advice: () => ({
      text: 'API Gateway denies this for more than a signature: a missing API key, a resource policy, a firewall’s rule, or a domain without a mapping',
      hint: 'if it wants an API key, set x-api-key in a step',
    }),
  },
];

function wrongRegion({ url, signed, cluster }: AwsAnswer): Advice {
  const region = regionOf(url);
  const isOther = region !== null && region !== signed?.scope?.region;
  return {
    text: `it is signed for the region ${signed?.scope?.region ?? 'of another step'}, and the service is in another`,
    hint: isOther
      ? `the server’s name says ${region}: set the step’s region in the chain of ${cluster}`
      : `set the step’s region to the service’s own, in the chain of ${cluster}`,
  };
}

function wrongService({ signed, message, cluster }: AwsAnswer): Advice {
  const [, right] = /correct service: '?([a-z0-9-]+)/i.exec(message) ?? [];
  return {
    text: `it is signed for the service ${signed?.scope?.service ?? 'of another step'}, and the one that answers is ${right ?? 'another'}`,
    hint: `set the step’s service${right === undefined ? '' : ` to ${right}`} in the chain of ${cluster}`,
  };
}

function mismatch({ attempts, message, signed, keys }: AwsAnswer): Advice {
  const canonical = attempts.at(-1)?.steps.find((step) => step.canonicalRequest !== null)?.canonicalRequest;
  const difference = canonical == null ? null : canonicalDifference(message, canonical);
  if (difference?.kind === 'line') {
    const line = (text: string | null) => (text === null ? 'no such line' : `"${visibleLine(text, 200)}"`);
    return {
      text: `something on the way changes the request: it was signed with ${line(difference.signed)}, and the service got ${line(difference.service)}`,
      hint: 'see what stands between: a proxy, or a domain that maps to another path',
    };
  }
  if (difference?.kind === 'same') {
    return {
      text: `the request arrived as it was signed, so the secret key of ${keysOf(signed)} isn’t the one that belongs to its id`,
      hint: keys && wrongSecretHint(keys),
    };
  }
  return {
    text: 'the secret key is wrong, or something on the way changes the request',
    hint: 'compare the canonical request with what the service got: --verbose, or its part in the page, shows it',
  };
}

function notAllowed({ message, signed }: AwsAnswer): Advice {
  const [, action = 'this'] = /is not authorized to perform: (\S+)/i.exec(message) ?? [];
  const [, policy] = /because no ([a-z-]+) policy allows/i.exec(message) ?? [];
  const isDenied = /explicit deny/i.test(message);
  if (/user: anonymous/i.test(message)) {
    return signed === null
      ? {
          text: 'the service took the request for anyone’s: it isn’t signed',
          hint: 'add a step that signs: sign, service and region in the cluster’s chain',
        }
      : {
          text: `the service took the request for anyone’s: it doesn’t accept the signature with ${keysOf(signed)}`,
          hint: 'it doesn’t say why: check the step’s service and region, the keys, and this computer’s clock',
        };
  }
  return {
    text: `the signature is good; ${isDenied ? 'a policy denies' : 'no policy allows'} ${visibleLine(action, 100)}`,
    hint:
      policy === undefined
        ? 'look at the policies of the role, and at those of the service'
        : `allow it in the ${policy} policy`,
  };
}

function keysOf(signed: SignStep | null): string {
  return signed ? `the keys of ${signed.account}` : 'the keys';
}

/** Of API Gateway’s and VPC Lattice’s own names; null: another name. */
function regionOf(url: string): string | null {
  const [, gateway, lattice] =
    /\.execute-api\.([a-z0-9-]+)\.amazonaws\.|\.vpc-lattice-svcs\.([a-z0-9-]+)\.on\.aws\b/.exec(url) ?? [];
  return gateway ?? lattice ?? null;
}
