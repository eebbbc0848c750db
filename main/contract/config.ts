import { z } from 'zod';
import { lookAlikeFault, secretBearingUrlFault } from './url-rules.ts';

/**
 * config.yaml: no secrets, made to be read and edited by hand. The JSON Schema that ships is made from this
 * file (`npm run generate`). Keys are camelCase, names are the ids.
 */

/** Names of accounts and clusters: they stand in commands, contexts and file names. */
export const configName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._@:/-]*$/, 'a letter or digit, then letters, digits and . _ @ : / -');

const path = z.string().min(1).max(4096);

/** https, or http on loopback; no user name, query or fragment. */
const serverUrl = z
  .url({ protocol: /^https?$/, error: 'expected an https:// URL' })
  .max(2048)
  .superRefine((text, context) => {
    const fault = secretBearingUrlFault(text);
    if (fault !== null) {
      context.addIssue(fault);
    }
  });

/** kubectl takes these three schemes. A password has no place here, so neither has a user name. */
const proxyUrl = z
  .url({ protocol: /^(https?|socks5)$/, error: 'expected an http://, https:// or socks5:// URL' })
  .max(2048)
  .refine((text) => /^[\x21-\x7e]*$/.test(text), { error: lookAlikeFault })
  .refine((text) => !URL.canParse(text) || new URL(text).username + new URL(text).password === '', {
    error: 'must not hold a user name or password: config.yaml holds no secrets',
  });

export const oidcAccount = z.strictObject({
  issuer: serverUrl.describe('The provider’s issuer, exactly as its discovery document says it.'),
  clientId: z.string().min(1).max(1024).describe('The client registered for Kubernetes tools.'),
  flow: z.enum(['auto', 'device']).default('auto').describe('How a person logs in.'),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'expected a scope: no space, quote or backslash'))
    .default(['openid', 'offline_access'])
    .describe('What the provider is asked for.'),
  token: z.enum(['id', 'access']).default('id').describe('Which token the cluster takes.'),
  certificateAuthority: path.optional().describe('PEM file with the provider’s own CA.'),
});

export const staticTokenAccount = z.strictObject({
  file: path.optional().describe('Read again when it changes. Without it the token is in the vault.'),
});

export const clientCertificateAccount = z.strictObject({
  certificateFile: path.optional().describe('PEM with the certificate and its intermediates.'),
  keyFile: path.optional().describe('PEM with the private key.'),
});

/** The kinds of account; one key of an account names its kind. */
export const accountKinds = {
  oidc: oidcAccount,
  staticToken: staticTokenAccount,
  clientCertificate: clientCertificateAccount,
} as const;
export type AccountKind = keyof typeof accountKinds;

export const account = z.union([
  z.strictObject({ oidc: oidcAccount }),
  z.strictObject({ staticToken: staticTokenAccount }),
  z.strictObject({ clientCertificate: clientCertificateAccount }),
]);

export const cluster = z.strictObject({
  server: serverUrl.describe('The API server’s address, as in a kubeconfig.'),
  certificateAuthority: path.optional().describe('PEM file; without it the system’s CAs count.'),
  tlsServerName: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .describe('The name in the server’s certificate, where it isn’t the host.'),
  insecureSkipTlsVerify: z.boolean().default(false).describe('Don’t check the server’s certificate.'),
  proxyUrl: proxyUrl.optional().describe('Reach the server through this proxy.'),
  account: configName.describe('Whose credential this cluster gets.'),
  withoutInfo: z
    .enum(['refuse', 'allow'])
    .default('refuse')
    .describe('Whether a request without spec.cluster is answered (rule 3).'),
  approval: z.enum(['never']).default('never').describe('When a person is asked.'),
});

export const config = z.strictObject({
  version: z.literal(1),
  accounts: z.record(configName, account).default({}),
  clusters: z.record(configName, cluster).default({}),
});

export type OidcAccountConfig = z.infer<typeof oidcAccount>;
export type ClientCertificateAccountConfig = z.infer<typeof clientCertificateAccount>;
export type AccountConfig = z.infer<typeof account>;
export type ClusterConfig = z.infer<typeof cluster>;
export type Config = z.infer<typeof config>;
