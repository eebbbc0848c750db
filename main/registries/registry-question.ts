import type { Secret } from '../base/secret.ts';
import type { RealmFault } from '../domain/image/token-server.ts';
import type { HttpFailure } from '../platform/network/http-failure.ts';

/** What is asked of a registry: whether it accepts a login, and whether that login may pull an image. */
export interface RegistryQuestion {
  /** As images name it, with its port: `ghcr.io`, `localhost:5000`, `docker.io`. */
  host: string;
  /** `path`: without host, tag and digest; `reference`: a tag or digest. Null: the login alone is tested. */
  image: { path: string; reference: string } | null;
  /** `<token>` as the user name: the password is an identity token. */
  credential: { userName: string; password: Secret };
  /** Hosts that the user approved beside the registry’s own (judgeRealm). */
  tokenServers: readonly string[];
}

/** Which server said it: the registry, or the token server that it named. */
export interface Answering {
  /** Host and port. */
  host: string;
  isTokenServer: boolean;
}

/** What came of it. Nothing in it is a server’s own text. */
export type RegistryVerdict =
  /** `tokenServer`: host and port of the one that was asked; null: none. `image`: null where none was named. */
  | { kind: 'accepted'; tokenServer: string | null; image: 'found' | 'missing' | null }
  /** 401 or 403 to the credential. */
  | { kind: 'rejected'; by: Answering; status: number }
  /** The credential is accepted, and may not pull this image. */
  | { kind: 'noAccess'; by: Answering; status: number }
  /** It answers without a credential, and so says nothing of one. */
  | { kind: 'open' }
  | { kind: 'unreachable'; by: Answering; failure: HttpFailure }
  /** A redirect: none is followed. */
  | { kind: 'redirected'; by: Answering }
  /** Its token server may not get the credential. `authority`: host and port; null: there is none. */
  | { kind: 'untrusted'; fault: RealmFault; authority: string | null }
  /** It takes user name and password, and the account has an identity token. */
  | { kind: 'identityToken'; by: Answering }
  /** It has no API of a registry there. */
  | { kind: 'noRegistry'; status: number }
  /** Neither a Basic nor a Bearer challenge that can be read. */
  | { kind: 'noChallenge' }
  /** A token server’s answer without a usable token. */
  | { kind: 'noToken'; by: Answering }
  | { kind: 'unclear'; by: Answering; status: number };

/** Carries a verdict out of the steps that lead to it. */
export class Decided extends Error {
  readonly verdict: RegistryVerdict;

  constructor(verdict: RegistryVerdict) {
    super(verdict.kind);
    this.verdict = verdict;
  }
}
