import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** As AWS names it in its answers; all good for the same time. */
export interface RoleCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
  /** Milliseconds since 1970. */
  expiration: number;
}

/**
 * A stand-in for the portal of AWS IAM Identity Center: GetRoleCredentials of one account and one role, for the access
 * token of one session, in the words of the API’s reference (AWS SSO Portal API).
 *
 * Its limits: no login (SSO OIDC: RegisterClient, StartDeviceAuthorization, CreateToken), so an access token that is over is
 * not renewed; no ListAccounts, ListAccountRoles, Logout; no request ids, no limits of rate.
 */
export interface SsoPortal {
  /** `http://127.0.0.1:PORT`. */
  readonly endpoint: string;
  readonly accessToken: string;
  readonly accountId: string;
  readonly roleName: string;
  /** What it gave, in order. */
  readonly given: readonly RoleCredentials[];
  /** How long what it gives is good; an hour at first. */
  seconds: number;
  /** No longer takes its access token: as after `aws sso logout`, or when the session is over. */
  end(): void;
  dispose(): Promise<void>;
}

export async function startSsoPortal(): Promise<SsoPortal> {
  const given: RoleCredentials[] = [];
  const [accountId, roleName] = ['111122223333', 'ReadOnly'];
  let accepted = randomBytes(24).toString('base64url');
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://portal');
    if (request.method !== 'GET' || pathname !== '/federation/credentials') {
      refuse(response, 404, 'ResourceNotFoundException', 'not of this stand-in');
    } else if (request.headers['x-amz-sso_bearer_token'] !== accepted) {
      refuse(response, 401, 'UnauthorizedException', 'Session token not found or invalid');
    } else if (searchParams.get('account_id') !== accountId || searchParams.get('role_name') !== roleName) {
      refuse(response, 403, 'ForbiddenException', 'No access');
    } else {
      const roleCredentials = makeCredentials(portal.seconds);
      given.push(roleCredentials);
      answer(response, 200, { roleCredentials });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const portal: SsoPortal = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessToken: accepted,
    accountId,
    roleName,
    given,
    seconds: 3600,
    end: () => {
      accepted = '';
    },
    dispose: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return portal;
}

function makeCredentials(seconds: number): RoleCredentials {
  return {
    accessKeyId: `ASIA${randomBytes(8).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64'),
    sessionToken: randomBytes(300).toString('base64'),
    expiration: (Math.floor(Date.now() / 1000) + seconds) * 1000,
  };
}

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  response.setHeader('x-amzn-errortype', type);
  answer(response, status, { message });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
