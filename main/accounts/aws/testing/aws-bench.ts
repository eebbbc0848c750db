import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret } from '../../../base/secret.ts';
import { type AccountConfig, account as accountSchema } from '../../../contract/config/accounts/account.ts';
import type { LoadedAccount } from '../../../ports/config-store.ts';

export const noSignal = new AbortController().signal;

export const someKeys = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: new Secret('canary-secret'),
  sessionToken: null,
};

/** An account as config.yaml has it. */
export function loaded(name: string, config: object): LoadedAccount {
  return { name, config: accountSchema.parse(config) as AccountConfig, certificateAuthorityPem: null };
}

/** STS’s answer with keys of a role that are good until `expiration`. */
export function keysAnswer(action: string, expiration: number): string {
  return `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result>
<AssumedRoleUser><Arn>arn:aws:sts::123456789012:assumed-role/deploy/lanyard</Arn></AssumedRoleUser>
<Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>role-canary</SecretAccessKey><SessionToken>token-canary</SessionToken>
<Expiration>${new Date(expiration).toISOString()}</Expiration></Credentials></${action}Result></${action}Response>`;
}

export function errorAnswer(code: string, message = ''): string {
  return `<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
}

/** A local STS that answers as it is told, and remembers what it was asked. */
export async function startScriptedSts() {
  const asked: { authorization: string | undefined; form: URLSearchParams }[] = [];
  const script: { status: number; text: string; headers: Record<string, string> }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) {
      body += String(piece);
    }
    asked.push({ authorization: request.headers.authorization, form: new URLSearchParams(body) });
    const { status, text, headers } = script.shift() ?? { status: 500, text: '', headers: {} };
    response.writeHead(status, { 'content-type': 'text/xml', ...headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    next: (status: number, text: string, headers: Record<string, string> = {}) =>
      script.push({ status, text, headers }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
