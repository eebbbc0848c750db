import type { RegistryAnswer } from '../contract/ui/calls/registries.ts';
import type { RealmFault } from '../domain/image/token-server.ts';
import { type Advice, adviceText } from '../domain/text/advice.ts';
import { failureText } from '../platform/network/failure-text.ts';
import type { HttpFailureKind } from '../platform/network/http-failure.ts';
import { proxyHint } from '../platform/network/proxy-hint.ts';
import type { Answering, RegistryVerdict } from '../registries/registry-question.ts';

export interface Tested {
  registry: string;
  account: string;
  /** As images name it. */
  host: string;
  /** The image with its tag or digest; null: the login alone was tested. */
  image: string | null;
  /** How the user replaces the account’s credential; undefined: by a login, or a plugin gets it. */
  replacedBy?: Advice | undefined;
}

/** What a registry says of a login, in words: what is wrong, and what to do. */
export function registryAnswer(verdict: RegistryVerdict, of: Tested): RegistryAnswer {
  const { account, host, registry } = of;
  const image = of.image ?? '';
  const answer = (
    outcome: RegistryAnswer['outcome'],
    message: string,
    hint: string | null = null,
  ): RegistryAnswer => ({ outcome, message, hint });
  switch (verdict.kind) {
    case 'accepted': {
      const pulls = { found: `, and lets it pull ${image}`, missing: `; it has no ${image}` };
      return answer(
        'accepted',
        `${host} accepts the credential of ${account}${verdict.image === null ? '' : pulls[verdict.image]}`,
      );
    }
    case 'rejected':
      return answer(
        'rejected',
        `${whoOf(verdict.by, host)} rejects the credential of ${account} (${verdict.status})`,
        of.replacedBy
          ? `to replace it: ${adviceText(of.replacedBy)}`
          : 'the registry’s operator can say which user name and token it accepts',
      );
    case 'noAccess':
      return answer(
        'noAccess',
        `${host} accepts the credential of ${account}, but it may not pull ${image} (${verdict.status})`,
        'check the image’s name, or ask the registry’s administrator for access',
      );
    case 'open':
      return answer(
        'open',
        `${host} answers without a credential: the one of ${account} was not tested`,
        `name an image that needs it: lanyard registry test ${registry} IMAGE`,
      );
    case 'unreachable':
      return answer(
        'unreachable',
        `${whoOf(verdict.by, host)} ${failureText(verdict.failure)}`,
        proxyHint(verdict.failure.kind, null) ?? unreachableHint(verdict.failure.kind),
      );
    case 'redirected':
      return answer(
        'untrusted',
        `${whoOf(verdict.by, host)} redirects to another address: no redirect is followed with a credential`,
        verdict.by.isTokenServer ? null : `name the host that it redirects to in matchImages of ${registry}`,
      );
    case 'untrusted':
      return answer('untrusted', untrustedText(verdict, host), untrustedHint(verdict, registry));
    case 'identityToken':
      return answer(
        'rejected',
        `${whoOf(verdict.by, host)} takes no identity token, and ${account} has one`,
        'use an account with a user name and an access token: lanyard help account add',
      );
    case 'noRegistry':
      return answer(
        'unclear',
        `${host} is no registry: it has no /v2/ (${verdict.status})`,
        `check the host in matchImages of ${registry}`,
      );
    case 'noChallenge':
      return answer('unclear', `${host} asks for no user name and password, and names no token server`);
    case 'noToken':
      return answer('unclear', `${whoOf(verdict.by, host)} gives no token that can be used`);
    case 'unclear':
      return answer(
        'unclear',
        `${whoOf(verdict.by, host)} answered with HTTP status ${verdict.status}`,
        verdict.status === 429 || verdict.status >= 500 ? 'try again later' : null,
      );
  }
}

function whoOf({ host, isTokenServer }: Answering, registry: string): string {
  return isTokenServer ? `${host}, the token server of ${registry},` : registry;
}

function untrustedText(
  { fault, authority }: Extract<RegistryVerdict, { kind: 'untrusted' }>,
  host: string,
): string {
  const texts: Readonly<Record<RealmFault, string>> = {
    notUrl: `${host} names no token server that can be used`,
    userInfo: `${host} names a token server with a user name in its URL`,
    http: `${host} names a token server without TLS: http://${authority}`,
    closedAddress: `${host} names a token server on this machine, its network or a cloud’s metadata service: ${authority}`,
    unapproved: `${host} names a token server at another host, ${authority}, which you have not approved`,
  };
  return `${texts[fault]}: the credential was not sent`;
}

function untrustedHint(
  { fault, authority }: Extract<RegistryVerdict, { kind: 'untrusted' }>,
  registry: string,
): string | null {
  return fault === 'unapproved'
    ? `if the registry’s operator says that ${authority} is its token server, add it to tokenServers of ${registry} in config.yaml, and approve that`
    : 'tell the registry’s operator';
}

function unreachableHint(kind: HttpFailureKind): string | null {
  switch (kind) {
    case 'unknownAuthority':
      return 'add its CA to the certificates that this machine trusts';
    case 'certificateDates':
      return 'check this machine’s clock; else the server must renew its certificate';
    case 'unknownHost':
    case 'unreachable':
    case 'connectionRefused':
    case 'timeout':
      return 'check the network or VPN, and the host';
    default:
      return null;
  }
}
