import { Secret } from '../../base/secret.ts';
import { clockText } from '../../contract/ui/time-texts.ts';
import { jwtLife } from '../credential/jwt-life.ts';
import { parseToken } from '../credential/parse-token.ts';
import { readPair } from '../credential/read-pair.ts';
import { visibleText } from '../text/visible-text.ts';
import { authProviderAccount } from './auth-provider-account.ts';
import { type Authentication, chooseAuthentication } from './authentication.ts';
import { identifyExec } from './exec-plugin.ts';
import { execPluginAccount } from './exec-plugin-account.ts';
import type { KubeExec, KubeUser } from './kubeconfig.ts';
import { kubeloginAccount } from './kubelogin-account.ts';
import { type AccountSources, left, type MadeAccount } from './made-account.ts';
import { placeholderHint } from './placeholder.ts';

/** The note for each user that already runs the helper: there is nothing to do. */
export const alreadyLanyard = 'it runs Lanyard already';

export interface UserAccountOptions extends AccountSources {
  /** In place the entry keeps its `as`; the managed kubeconfig can't have it. */
  inPlace: boolean;
}

/** What a user becomes. Its notes say what was ignored. */
export function userAccount(user: KubeUser, options: UserAccountOptions): MadeAccount {
  const { authentication, notes } = chooseAuthentication(user);
  const made = accountOf(authentication, options);
  if (!made.ok) {
    return made;
  }
  if (user.impersonates && !options.inPlace) {
    return left(
      'it impersonates another user (as), which the managed kubeconfig can’t say; --in-place keeps it, or the request proxy does it: lanyard cluster add NAME --server URL --account ACCOUNT --proxy-impersonate USER',
    );
  }
  const more = [
    ...(user.impersonates ? ['it goes on impersonating another user: as stays in the file'] : []),
    ...(user.unknownKeys.length === 0
      ? []
      : [`unknown keys stay in the file: ${user.unknownKeys.map((key) => visibleText(key, 80)).join(', ')}`]),
  ];
  return { ...made, notes: [...notes, ...made.notes, ...more] };
}

function accountOf(authentication: Authentication, options: UserAccountOptions): MadeAccount {
  switch (authentication.by) {
    case 'token':
      return tokenAccount(authentication.token, options.now);
    case 'tokenFile': {
      const { file } = authentication;
      const parsed = file.ok ? parseToken(file.content) : null;
      if (!parsed?.ok) {
        return left(
          file.ok
            ? `its token file ${visibleText(file.path)} ${parsed?.message}`
            : `its token can’t be read: ${file.fault}`,
        );
      }
      return {
        ...none,
        value: { staticToken: { file: file.path } },
        notes: [`the token stays in its file ${visibleText(file.path)}, and is read again when that changes`],
      };
    }
    case 'certificate':
      return certificateAccount(authentication, options.now);
    case 'certificateAndMore':
      return left(
        `kubectl sends its client certificate and ${authentication.more} together, and the server chooses; an account holds one of them`,
      );
    case 'exec':
      return execAccount(authentication.exec, options);
    case 'authProvider':
      return authProviderAccount(authentication.name, authentication.config, options);
    case 'basic':
      return left('it has a user name and password, which no Kubernetes server takes since 1.19');
    case 'nothing':
      return left('it says nothing that authenticates');
    case 'placeholder': {
      const keys = authentication.keys.map((key) => visibleText(key, 80)).join(' and ');
      return left(
        `in place of its ${keys} there is a placeholder, such as kubectl config view prints: ${placeholderHint}`,
      );
    }
    case 'invalid':
      return left(`kubectl refuses it: it ${authentication.fault}`);
  }
}

function execAccount(exec: KubeExec, options: UserAccountOptions): MadeAccount {
  const plugin = identifyExec(exec);
  switch (plugin.what) {
    case 'lanyard':
      return left(alreadyLanyard);
    case 'kubelogin':
      return kubeloginAccount(plugin.flags, exec.env, options);
    case 'other':
      return execPluginAccount(exec, options);
  }
}

const none = { ok: true, secrets: {}, authorityPem: null, needsLogin: false, notes: [] } as const;

function tokenAccount(text: Secret, now: number): MadeAccount {
  const parsed = parseToken(text);
  if (!parsed.ok) {
    return left(`its token ${parsed.message}`);
  }
  const value = parsed.token.reveal();
  // A JWT begins with the base64 of `{"`; trying others costs an error each.
  const end = value.startsWith('eyJ') ? (jwtLife(value)?.expiresAt ?? null) : null;
  const notes = end !== null && end <= now ? [`its token expired at ${clockText(end, now)}`] : [];
  return { ...none, value: { staticToken: {} }, secrets: { token: parsed.token }, notes };
}

function certificateAccount(
  { certificate, key }: Extract<Authentication, { by: 'certificate' }>,
  now: number,
): MadeAccount {
  if (!certificate.ok || !key.ok) {
    const [what, fault] = certificate.ok
      ? ['key', key.ok ? '' : key.fault]
      : ['client certificate', certificate.fault];
    return left(`its ${what} can’t be read: ${fault}`);
  }
  const called = (what: string, path: string | null) => (path === null ? what : visibleText(path));
  const pair = readPair(
    { text: new Secret(certificate.pem), called: called('client-certificate-data', certificate.path) },
    { text: key.pem, called: called('client-key-data', key.path) },
  );
  if (!pair.ok) {
    return left(pair.message);
  }
  const { subject, expiresAt } = pair.life;
  const notes =
    expiresAt <= now
      ? [`the certificate “${visibleText(subject, 200)}” expired at ${clockText(expiresAt, now)}`]
      : [];
  if (certificate.path !== null && key.path !== null) {
    notes.push(
      `the key stays in its file ${visibleText(key.path)}: what made it may renew it there (minikube does)`,
    );
    const value = { clientCertificate: { certificateFile: certificate.path, keyFile: key.path } };
    return { ...none, value, notes };
  }
  const path = certificate.path ?? key.path;
  if (path !== null) {
    notes.push(`${visibleText(path)} is copied into the vault: later changes there are not followed`);
  }
  const secrets = { certificate: new Secret(pair.chainPem), key: pair.keyPem };
  return { ...none, value: { clientCertificate: {} }, secrets, notes };
}
