import type { Agent } from 'undici';
import type { AdminCall } from './admin.ts';
import { createKeycloakPerson, type KeycloakPerson } from './person.ts';

export interface RealmOptions {
  /** Over the realm's own fields (RealmRepresentation): lifespans, revokeRefreshToken, … */
  realm?: Readonly<Record<string, unknown>>;
  /** Over the fields of the public client `kubernetes` (ClientRepresentation). */
  client?: Readonly<Record<string, unknown>>;
  /** More clients. */
  clients?: readonly Readonly<Record<string, unknown>>[];
}

/** A realm with the users alice and bob, and the public client `kubernetes`. */
export interface Realm {
  readonly name: string;
  readonly issuer: string;
  readonly jwksUri: string;
  readonly clientId: string;
  readonly person: KeycloakPerson;
  /** A call of the admin's below this realm. */
  admin: AdminCall;
  userId(login: string): Promise<string>;
  /** Sessions of a user, offline ones of the client too. */
  sessions(login: string): Promise<{ online: number; offline: number }>;
  /** Ends all that a user is logged in with, as "Sign out" in the admin's console does; offline sessions, too. */
  signOut(login: string): Promise<void>;
  /** Disables a user, or enables them again. */
  setEnabled(login: string, enabled: boolean): Promise<void>;
  /** Changes fields of a client. */
  setClient(clientId: string, fields: object): Promise<void>;
}

const user = (login: string, realm: string) => ({
  username: login,
  email: `${login}@example.com`,
  emailVerified: true,
  firstName: login,
  lastName: 'Example',
  enabled: true,
  // Not given by itself to a user who comes with the realm; offline_access is in it.
  realmRoles: [`default-roles-${realm}`],
  credentials: [{ type: 'password', value: login, temporary: false }],
});

/** A client as the tests' accounts use it, unless told otherwise. */
const publicClient = {
  enabled: true,
  publicClient: true,
  standardFlowEnabled: true,
  directAccessGrantsEnabled: false,
  redirectUris: ['http://127.0.0.1/*'],
  attributes: { 'oauth2.device.authorization.grant.enabled': 'true' },
};

export async function makeRealm(
  origin: string,
  name: string,
  admin: AdminCall,
  agent: Agent,
  options: RealmOptions,
): Promise<Realm> {
  const clientId = 'kubernetes';
  await admin('POST', '/realms', {
    realm: name,
    enabled: true,
    // The device code's interval: tests wait as little as Keycloak allows.
    oauth2DevicePollingInterval: 1,
    ...options.realm,
    users: ['alice', 'bob'].map((login) => user(login, name)),
    clients: [{ ...publicClient, clientId, ...options.client }, ...(options.clients ?? [])],
  });
  const issuer = `${origin}/realms/${name}`;
  const within: AdminCall = (method, path, body) => admin(method, `/realms/${name}${path}`, body);
  const userId = async (login: string): Promise<string> =>
    (await within('GET', `/users?exact=true&username=${login}`))[0].id;
  const client = async (id: string) =>
    (await within('GET', `/clients?clientId=${encodeURIComponent(id)}`))[0];
  return {
    name,
    issuer,
    jwksUri: `${issuer}/protocol/openid-connect/certs`,
    clientId,
    person: createKeycloakPerson(issuer, agent),
    admin: within,
    userId,
    async sessions(login) {
      const id = await userId(login);
      const { id: at } = await client(clientId);
      const online = await within('GET', `/users/${id}/sessions`);
      const offline = await within('GET', `/users/${id}/offline-sessions/${at}`);
      return { online: online.length, offline: offline.length };
    },
    async signOut(login) {
      const id = await userId(login);
      await within('POST', `/users/${id}/logout`);
      const { id: at } = await client(clientId);
      for (const session of await within('GET', `/users/${id}/offline-sessions/${at}`)) {
        await within('DELETE', `/sessions/${session.id}?isOffline=true`);
      }
    },
    async setEnabled(login, enabled) {
      await within('PUT', `/users/${await userId(login)}`, { enabled });
    },
    async setClient(id, fields) {
      const before = await client(id);
      const merged = { ...before, ...fields };
      await within('PUT', `/clients/${before.id}`, merged);
    },
  };
}
