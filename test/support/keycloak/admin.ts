import { type Dispatcher, request } from 'undici';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Calls of the admin's REST API, with paths below `/admin`. Rejects with Keycloak's words where it refuses. */
// biome-ignore lint/suspicious/noExplicitAny: Keycloak's own representations
export type AdminCall = (method: Method, path: string, body?: object) => Promise<any>;

/** Logged in as `admin`; anew where its short-lived token may have ended. */
export function createAdmin(origin: string, password: string, dispatcher: Dispatcher): AdminCall {
  let token = '';
  let until = 0;
  const logIn = async () => {
    const form = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password };
    const { body } = await request(`${origin}/realms/master/protocol/openid-connect/token`, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
    const answer = (await body.json()) as { access_token: string; expires_in: number };
    token = answer.access_token;
    until = Date.now() + (answer.expires_in * 1000) / 2;
  };
  return async (method, path, sent) => {
    if (Date.now() >= until) {
      await logIn();
    }
    const { statusCode, body } = await request(`${origin}/admin${path}`, {
      dispatcher,
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: sent === undefined ? null : JSON.stringify(sent),
    });
    const text = await body.text();
    if (statusCode >= 300) {
      throw new Error(`${method} ${path}: ${statusCode} ${text}`);
    }
    return text === '' ? null : JSON.parse(text);
  };
}
