import type { AccountDetails, AccountDraft, PluginView } from '../../main/contract/ui/calls/accounts.ts';
import type { AccountView } from '../../main/contract/ui/state.ts';
import { chance } from './past/chance.ts';
import { sampleCertificate } from './sample-certificate.ts';
import { pluginOf } from './sample-plugins.ts';
import { hours, minutes, months } from './spans.ts';

type Fields = AccountDraft['set'];

/** The keys of an invented account in config.yaml. */
export function fieldsOf({ name, kind, issuer }: AccountView): Fields {
  switch (kind) {
    case 'oidc':
      return {
        issuer: issuer ?? 'https://id.corp.example',
        clientId: 'kubernetes',
        scopes: ['openid', 'groups'],
      };
    case 'execPlugin': {
      const { command, args, variables } = pluginOf(name);
      return {
        apiVersion: 'client.authentication.k8s.io/v1',
        command,
        args: [...args],
        interactiveMode: 'IfAvailable',
        environment: [...variables],
      };
    }
    case 'awsProcess': {
      const { command, args } = pluginOf(name);
      return { command, args: [...args] };
    }
    case 'pkcs11':
      return { module, token: 'Corp ID', label: 'auth' };
    default:
      return {};
  }
}

/** The complete details of an account. */
export function detailsOf(view: AccountView, fields: Fields, now: number): Omit<AccountDetails, 'held'> {
  const { name, kind } = view;
  return {
    name,
    kind,
    fields,
    hidden: [],
    file: '/home/dev/.config/lanyard/config.yaml',
    secrets: secretsOf(view),
    oidc: kind === 'oidc' ? oidcOf(view, fields, now) : null,
    plugin: isPlugin(kind) ? pluginViewOf(view, kind, now) : null,
    token: kind === 'pkcs11' ? tokenOf(view, now) : null,
  };
}

const module = '/usr/lib/x86_64-linux-gnu/opensc-pkcs11.so';

function tokenOf({ name, state, subject, expiresAt }: AccountView, now: number): AccountDetails['token'] {
  const certificate = sampleCertificate({
    subject: `CN=${subject}`,
    issuer: 'CN=corp-people',
    notBefore: now - months(7),
    notAfter: expiresAt ?? 0,
  });
  return { module: programOf(name, module), certificate: state === 'ready' ? certificate : null };
}

/** A program that root owns and the user confirmed. */
function programOf(name: string, path: string | null): PluginView['program'] {
  return {
    path,
    target: null,
    owner: 'root',
    sha256: Array.from({ length: 64 }, (_, index) => Math.floor(chance(name, index) * 16).toString(16)).join(
      '',
    ),
    confirmed: 'yes',
    problem: null,
  };
}

function secretsOf({ name, kind, state }: AccountView): AccountDetails['secrets'] {
  const names =
    kind === 'staticToken'
      ? ['token']
      : kind === 'clientCertificate'
        ? ['certificate', 'key']
        : kind === 'registry'
          ? ['password']
          : [];
  return names.map((secret) => ({
    name: secret,
    command: `lanyard secret set ${name}/${secret}`,
    isSet: state === 'locked' ? null : state !== 'secretMissing',
    isNeeded: true,
  }));
}

function oidcOf(
  { subject, issuer, state }: AccountView,
  fields: Fields,
  now: number,
): AccountDetails['oidc'] {
  const said = (key: string, usual: string) => (typeof fields[key] === 'string' ? fields[key] : usual);
  const flow = (['browser', 'device', 'clientCredentials', 'serviceAccountToken'] as const).find(
    (each) => each === fields['flow'],
  );
  return {
    issuer: said('issuer', 'https://id.corp.example'),
    clientId: said('clientId', 'kubernetes'),
    scopes: ['openid', 'offline_access', 'groups'],
    flow: flow ?? 'auto',
    token: fields['token'] === 'access' ? 'access' : 'id',
    redirectAddress: 'http://127.0.0.1/callback/3f9a27c4',
    session:
      subject === null || state === 'loginNeeded'
        ? null
        : {
            issuer: issuer ?? '',
            subject: 'f81d4fae-7dec-11d0',
            loggedInAt: now - hours(5),
            hasRefreshToken: true,
            generation: 6,
            state: 'good',
          },
  };
}

function isPlugin(kind: AccountView['kind']): kind is PluginView['plugin'] {
  return (
    kind === 'execPlugin' ||
    kind === 'credentialProvider' ||
    kind === 'awsProcess' ||
    kind === 'requestSigner'
  );
}

function pluginViewOf(
  { name, state, registries }: AccountView,
  kind: PluginView['plugin'],
  now: number,
): PluginView {
  const isProvider = kind === 'credentialProvider';
  const { command, args, path, variables } = pluginOf(name);
  const fails = state === 'failing';
  return {
    plugin: kind,
    defaultCacheDuration: isProvider ? '0s' : null,
    command,
    args: [...args],
    interactiveMode: kind === 'execPlugin' ? 'IfAvailable' : 'Never',
    variables: [...variables],
    limits: { alone: 60, atTerminal: kind === 'execPlugin' ? 300 : 60 },
    share: true,
    pin: false,
    provideClusterInfo: false,
    passProxyConfig: false,
    program: programOf(name, path),
    runs: Array.from({ length: 6 }, (_, index) => ({
      at: now - (fails ? minutes(1 + index * 2) : minutes(6 + index * 53)),
      target: isProvider ? (registries[0] ?? null) : null,
      where: 'broker' as const,
      outcome: fails && index < 3 ? ('failed' as const) : ('good' as const),
      callStatus: fails && index < 3 ? 'plugin_execution_error' : 'no_error',
      exitCode: fails && index < 3 ? 1 : 0,
      code: fails && index < 3 ? 'plugin.failed' : null,
      milliseconds: 380 + Math.floor(chance(name, 'run', index) * 500),
    })),
    lastError: fails
      ? {
          at: now - minutes(1),
          problem: 'it ended with exit code 1',
          lines: ['lab-sso: realm gpu: connection refused'],
        }
      : null,
  };
}
