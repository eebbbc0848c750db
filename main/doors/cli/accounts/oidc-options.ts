import { type CommandCall, usageError } from '../command.ts';
import { given, pathOption } from '../edit-config.ts';

/** The options of `lanyard account add` that make an OpenID account. */
export interface OidcOptions {
  'oidc-issuer'?: string | undefined;
  'client-id'?: string | undefined;
  scope?: string[] | undefined;
  token?: string | undefined;
  'certificate-authority'?: string | undefined;
  flow?: string | undefined;
  'redirect-uri'?: string | undefined;
  'redirect-port'?: string[] | undefined;
  'login-hint'?: string | undefined;
  'extra-param'?: string[] | undefined;
  'client-assertion-file'?: string | undefined;
  'client-key-account'?: string | undefined;
  'client-key-id'?: string | undefined;
  'client-certificate-account'?: string | undefined;
  'browser-command'?: string | undefined;
  'browser-arg'?: string[] | undefined;
}

/** The account's value for config.yaml, which is checked there. Throws BrokerError (reason usage). */
export function oidcValue(call: CommandCall, values: OidcOptions) {
  if (values['client-id'] === undefined) {
    throw usageError('account add', 'an OpenID account needs --client-id');
  }
  return {
    oidc: given({
      issuer: values['oidc-issuer'],
      clientId: values['client-id'],
      flow: values.flow,
      scopes: values.scope,
      token: values.token,
      certificateAuthority: pathOption(call, values['certificate-authority']),
      redirectUri: values['redirect-uri'],
      redirectPorts: values['redirect-port']?.map(port),
      clientAssertionFile: pathOption(call, values['client-assertion-file']),
      clientKeyAccount: values['client-key-account'],
      clientKeyId: values['client-key-id'],
      clientCertificateAccount: values['client-certificate-account'],
      loginHint: values['login-hint'],
      browser: browserOption(values),
      extraParams: values['extra-param'] && Object.fromEntries(values['extra-param'].map(pair)),
    }),
  };
}

/** The program's name is found by PATH as it is started; a path is the caller's. */
function browserOption({
  'browser-command': command,
  'browser-arg': args = [],
}: OidcOptions): string[] | undefined {
  if (command === undefined && args.length > 0) {
    throw usageError('account add', '--browser-arg goes with --browser-command');
  }
  return command === undefined ? undefined : [command, ...args];
}

function port(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) {
    throw usageError('account add', '--redirect-port takes a port, such as 8000');
  }
  return Number(text);
}

function pair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at <= 0) {
    throw usageError('account add', '--extra-param takes NAME=VALUE, such as prompt=consent');
  }
  return [text.slice(0, at), text.slice(at + 1)];
}
