import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { aheadText } from '../../../contract/ui/time-texts.ts';
import { visibleLine } from '../../../domain/text/visible-text.ts';

/** Who asked STS, for the words of its refusals. */
export interface AskedSts {
  /** The account whose keys were asked for. */
  account: string;
  host: string;
  role: string;
  /** What proved who asks: `the token in FILE`, `the keys of NAME`. */
  proof: string;
  /** What to do where the proof is refused. */
  proofHint: string;
}

/** The most of STS’s own words that are shown, in characters. */
const shownCharacters = 300;

/** From here on a clock is wrong enough to be why: STS takes requests of 5 minutes before and after its own time. */
const clockMilliseconds = 4 * 60_000;

/** The proof is over or unknown to AWS: other keys might do (AWS STS API Reference, Common Errors). */
const overCodes = [
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
];

export function isProofOver(code: string): boolean {
  return overCodes.includes(code);
}

/**
 * STS’s error in plain words. `clockOff`: how far this machine’s clock is before (+) or behind (−) STS’s, in milliseconds; null:
 * unknown.
 */
export function stsRefusal(
  { account, host, role, proof, proofHint }: AskedSts,
  { code, message }: { code: string; message: string },
  clockOff: number | null,
): Refusal {
  const said = message === '' ? '' : `: ${visibleLine(message, shownCharacters)}`;
  const refused = (name: string, text: string, hint?: string) =>
    refuse('provider', `aws.sts.${name}`, `${text} (${visibleLine(code, 60)})`, hint);
  if (clockOff !== null && Math.abs(clockOff) >= clockMilliseconds && aboutTime.includes(code)) {
    return refused(
      'clock',
      `${host} refuses the request of ${account}, for this machine’s clock is ${aheadText(clockOff)} its own`,
      'set the clock',
    );
  }
  switch (code) {
    case 'ExpiredToken':
    case 'ExpiredTokenException':
      return refused('expired', `${host} says that ${proof} has expired`, proofHint);
    case 'InvalidIdentityToken':
      return refused(
        'identityToken',
        `${host} doesn’t take ${proof}${said}`,
        `is its issuer an identity provider of the role’s account, and its audience one that it knows? ${proofHint}`,
      );
    case 'IDPRejectedClaim':
      return refused('identityToken', `the identity provider rejects ${proof}${said}`, proofHint);
    case 'IDPCommunicationError':
      return refused(
        'identityProvider',
        `${host} can’t reach the identity provider of ${proof}`,
        'try again',
      );
    case 'InvalidClientTokenId':
    case 'UnrecognizedClientException':
      return refused('unknownKey', `AWS doesn’t know ${proof}, or they were made inactive`, proofHint);
    case 'SignatureDoesNotMatch':
      return refused('signature', `${host} says that the secret of ${proof} is wrong`, proofHint);
    case 'AccessDenied':
    case 'AccessDeniedException':
      return refused(
        'denied',
        `${proof} may not take the role ${role}${said}`,
        'the role’s trust policy, or a policy of who takes it, has to allow it: ask its administrator',
      );
    case 'RegionDisabledException':
      return refused(
        'region',
        `STS is not active in the region of ${host}`,
        'name another region in config.yaml',
      );
    case 'Throttling':
    case 'ThrottlingException':
    case 'RequestLimitExceeded':
      return refused('throttled', `${host} has too many requests, and asks to wait`);
    default:
      return refused('refused', `${host} gives ${account} no keys of the role ${role}${said}`);
  }
}

const aboutTime = [
  'SignatureDoesNotMatch',
  'RequestExpired',
  'InvalidIdentityToken',
  'ExpiredToken',
  'ExpiredTokenException',
];
