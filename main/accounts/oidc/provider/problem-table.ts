import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { proxyHint } from '../../../platform/network/proxy-hint.ts';
import type { ClientKeysConfig } from '../client/client-keys.ts';
import type { ClientProof } from '../client/client-proof.ts';
import type { ProviderProblem } from './provider-problem.ts';

/** What was asked of the provider when it went wrong. */
export type Step =
  | 'discovery'
  | 'device'
  | 'token'
  | 'renewal'
  | 'keys'
  | 'exchange'
  | 'revocation'
  | 'userinfo';

interface Row {
  /** `*` stands for the step. */
  code: string;
  /** After the host: `id.example.com <message>`; `*` stands for the detail. */
  message: string;
  hint?: string;
  /** After a discovery that worked: the issuer is right. Without it, `hint` holds. */
  laterHint?: string;
  /** A clock that is off may be the reason: the difference is said, where it is known. */
  clock?: true;
  /** The account’s key that the hint means. */
  key?: 'issuer' | 'clientId' | 'certificateAuthority';
}

const addAuthority = 'set certificateAuthority of the account to the PEM file of the provider’s own CA';
const checkIssuer = 'check the account’s issuer';
const tryAgain = 'try again in a minute; if it stays, tell the provider’s operator';

/** One row per kind of problem: the stable code, the text for the user, and what helps. */
const rows: Readonly<Record<ProviderProblem['kind'], Row>> = {
  unreachable: { code: 'oidc.*.unreachable', message: 'can’t be reached', hint: 'check the network' },
  connectionRefused: {
    code: 'oidc.*.unreachable',
    message: 'refuses the connection: nothing listens there',
    hint: 'is the provider running? check the port of the account’s issuer',
    laterHint: tryAgain,
    key: 'issuer',
  },
  unknownHost: {
    code: 'oidc.*.unknownHost',
    message: 'can’t be resolved (DNS)',
    hint: 'check the network, and the account’s issuer',
    laterHint: 'check the network',
    key: 'issuer',
  },
  timeout: { code: 'oidc.timeout', message: 'did not answer in time', hint: 'try again; check the network' },
  cancelled: { code: 'oidc.cancelled', message: 'was not waited for any longer' },
  unknownAuthority: {
    code: 'oidc.tls.unknownAuthority',
    message: 'presents a certificate of an unknown authority',
    hint: addAuthority,
    key: 'certificateAuthority',
  },
  wrongHostName: {
    code: 'oidc.tls.wrongHostName',
    message: 'presents a certificate for another host',
    hint: checkIssuer,
    laterHint: 'tell the provider’s operator',
    key: 'issuer',
  },
  certificateDates: {
    clock: true,
    code: 'oidc.tls.certificateDates',
    message: 'presents a certificate that is not valid now',
    hint: 'check this machine’s clock; else the provider must renew its certificate',
  },
  certificate: {
    code: 'oidc.tls.certificate',
    message: 'presents a certificate that isn’t accepted: its purpose, constraints, key or signature',
    hint: 'its administrator has to replace it',
  },
  tls: { code: 'oidc.tls.failed', message: 'offers no usable TLS version' },
  clientCertificate: {
    code: 'oidc.tls.clientCertificate',
    message: 'does not accept this client’s TLS certificate, or wants one',
    hint: 'set the one that is registered there: lanyard secret set ACCOUNT/clientCertificate < FILE',
  },
  clientKey: { code: 'oidc.client.noSignature', message: 'can’t be asked: the client’s key does not sign' },
  broken: { code: 'oidc.*.broken', message: 'closed the connection unexpectedly', hint: 'try again' },
  tooLarge: { code: 'oidc.*.tooLarge', message: 'sent an answer larger than 1 MiB' },
  insecureAddress: { code: 'oidc.*.insecureAddress', message: 'names an address that is not https' },
  closedAddress: { code: 'oidc.*.closedAddress', message: 'names an address that is not allowed' },
  status: {
    code: 'oidc.*.status',
    message: 'answered with HTTP status *',
    hint: checkIssuer,
    laterHint: 'the provider, or a gateway or firewall before it, refuses this request: ask its operator',
    key: 'issuer',
  },
  outOfOrder: { code: 'oidc.*.status', message: 'is out of order for now (HTTP status *)', hint: tryAgain },
  tooMany: {
    code: 'oidc.*.status',
    message: 'gets too many requests for now (HTTP status *)',
    hint: 'wait before you try again',
  },
  notJson: {
    code: 'oidc.*.notJson',
    message: 'answered with something that is not JSON',
    hint: 'a network’s login page may be in between; else check the account’s issuer',
    laterHint: 'a network’s login page or a gateway may be in between',
    key: 'issuer',
  },
  proxyUnreachable: {
    code: 'oidc.proxy.unreachable',
    message: 'can’t be reached: the proxy * can’t be, either',
  },
  proxyTimeout: {
    code: 'oidc.proxy.timeout',
    message: 'can’t be reached: the proxy * did not open a connection in time',
  },
  proxyLogin: {
    code: 'oidc.proxy.login',
    message: 'can’t be reached: the proxy * wants another login (407)',
  },
  proxyRefused: {
    code: 'oidc.proxy.refused',
    message: 'can’t be reached: the proxy *',
  },
  proxyUnusable: {
    code: 'oidc.proxy.unusable',
    message: 'can’t be reached: Lanyard can’t use the proxy *',
  },
  // Of clusters alone.
  requestProxy: { code: 'oidc.*.unreachable', message: 'was not asked' },
  issuerMismatch: {
    code: 'oidc.issuer.mismatch',
    message: 'says that its issuer is “*”',
    hint: 'set issuer of the account to exactly that, if you trust it',
    key: 'issuer',
  },
  tokenIssuer: { code: 'oidc.token.issuer', message: 'sent a token in another issuer’s name' },
  tokenAudience: {
    code: 'oidc.token.audience',
    message: 'sent a token meant for another client',
    hint: 'check the account’s clientId',
  },
  tokenClaims: { code: 'oidc.token.claims', message: 'sent a token whose claims are wrong' },
  tokenNonce: { code: 'oidc.token.nonce', message: 'sent a token that was made for another login' },
  tokenHash: {
    code: 'oidc.token.hash',
    message: 'sent an id token and an access token that don’t belong together',
  },
  tokenClock: {
    clock: true,
    code: 'oidc.token.clock',
    message: 'sent a token that is not valid at this machine’s time',
    hint: 'check this machine’s clock',
  },
  tokenSignature: {
    code: 'oidc.token.signature',
    message: 'sent a token that none of its published keys has signed',
    hint: tryAgain,
  },
  malformed: { code: 'oidc.*.malformed', message: 'sent an answer *' },
  missingEndpoint: {
    code: 'oidc.*.missingEndpoint',
    message: 'does not offer what this login needs',
    hint: 'the provider must allow the device flow (RFC 8628) for this client',
  },
  unsupported: { code: 'oidc.*.unsupported', message: 'asks for something that lanyard can’t do' },
  clientRejected: {
    clock: true,
    code: 'oidc.client.rejected',
    message: 'does not accept this client (*)',
  },
  oauthError: { code: 'oidc.*.error', message: 'refused: *' },
  unknown: { code: 'oidc.*.failed', message: 'gave an answer that can’t be used' },
};

const oauthHints: Readonly<Record<string, string>> = {
  invalid_scope:
    'the provider doesn’t know one of the account’s scopes, or doesn’t give it to this client; one that knows no offline_access (Google) must not be asked for it',
  unauthorized_client: 'check the account’s clientId; the provider must allow this client to log in this way',
  access_denied: 'a policy of the provider says no: ask its administrator',
};

/** A client's assertion whose times the provider didn't like: Keycloak says `Token is not active`. */
const badTime =
  /\b(token|assertion|jwt|exp|iat|nbf)\b.*\b(not active|expired|not yet valid|in the future|too old|not valid yet)\b/i;

/** A renewal is tried again without the user; what only another login can mend says so. */
const renewalHints: Partial<Record<ProviderProblem['kind'], string>> = {
  status: 'Lanyard tries again; if it stays: lanyard login ACCOUNT',
  outOfOrder: 'Lanyard tries again',
  tooMany: 'Lanyard tries again',
};

function hintFor({ kind, oauthError, detail }: ProviderProblem, step: Step): string | undefined {
  if (kind === 'clientRejected' && badTime.test(detail ?? '')) {
    return 'check this machine’s clock: what the client signs with its key is valid for a minute';
  }
  if (kind !== 'oauthError') {
    const { hint, laterHint = hint } = rows[kind];
    return step === 'discovery' ? hint : (step === 'renewal' && renewalHints[kind]) || laterHint;
  }
  return Object.hasOwn(oauthHints, oauthError ?? '') ? oauthHints[oauthError ?? ''] : undefined;
}

/** By what the client proved itself with: a key on a token is in no vault. */
function hintOfProof(
  { kind, detail }: ProviderProblem,
  { config: { clientKeyAccount, clientCertificateAccount }, proof }: RefusedAccount,
): string | undefined {
  if (kind === 'clientCertificate' && clientCertificateAccount !== undefined) {
    return `the certificate of ${clientCertificateAccount} must be registered there for this client`;
  }
  const isRejected = kind === 'clientRejected' && !badTime.test(detail ?? '');
  // Google and Entra ID have no separate code for this.
  const isToldApart = kind === 'oauthError' && /client_(secret|assertion)/.test(detail ?? '');
  if (!isRejected && !isToldApart) {
    return undefined;
  }
  const key = clientKeyAccount ?? clientCertificateAccount;
  if (key !== undefined) {
    return `check the account’s clientId; the key or certificate of ${key} must be registered there for it`;
  }
  if (proof?.assertion) {
    return 'check the account’s clientId; the provider must accept the token in its clientAssertionFile for it';
  }
  const part = proof?.key ? 'clientKey' : proof?.certificate ? 'clientCertificate' : null;
  return part !== null
    ? `check the account’s clientId; its ${part} must be registered there for it: lanyard secret set ACCOUNT/${part} < FILE`
    : isToldApart
      ? 'this client needs its secret: lanyard secret set ACCOUNT/clientSecret'
      : 'check the account’s clientId, and its secret: lanyard secret set ACCOUNT/clientSecret';
}

/** The account that the provider refused something. */
export interface RefusedAccount {
  host: string;
  account: string;
  clock: string | null;
  config: ClientKeysConfig & { proxyUrl?: string | undefined };
  /** What its client proved itself with before its secret; null: nothing that is known. */
  proof: ClientProof | null;
}

/** The refusal for a problem at `host` (never with a path or query). */
export function refuseProblem(problem: ProviderProblem, step: Step, of: RefusedAccount): Refusal {
  if (problem.refusal) {
    return problem.refusal;
  }
  const { host, account, clock } = of;
  const row = rows[problem.kind];
  const unsaid = problem.kind === 'malformed' ? 'that is not what the standard says' : 'unknown';
  const said = row.message.replace('*', () => problem.detail ?? unsaid);
  const message = row.clock && clock !== null ? `${said}: ${clock}` : said;
  const ofProxy = proxyHint(problem.kind, of.config.proxyUrl === undefined ? null : 'account');
  const hint = (ofProxy ?? hintOfProof(problem, of) ?? hintFor(problem, step))?.replace('ACCOUNT', account);
  // A renewal has the codes that it had before it was a step of its own.
  const code = row.code.replace('*', step === 'renewal' ? 'token' : step);
  const refusal = refuse('provider', code, `${host} ${message}`, hint);
  const { retryAfterSeconds } = problem;
  return retryAfterSeconds === undefined ? refusal : { ...refusal, retryAfterSeconds };
}

/** The account’s key to look at after a refusal of the provider’s discovery; null: none, or several. */
export function keyToLookAt({ code, hint }: Pick<Refusal, 'code' | 'hint'>): string | null {
  if (code.startsWith('oidc.proxy.')) {
    return hint?.includes('proxyUrl') ? 'proxyUrl' : null;
  }
  const row = Object.values(rows).find(
    (each) => each.code.replace('*', 'discovery') === code && each.hint === hint && each.key,
  );
  return row?.key ?? null;
}
