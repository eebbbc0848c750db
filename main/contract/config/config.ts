import { z } from 'zod';
import { durationText } from '../duration.ts';
import { identityTokenUser } from '../identity-token.ts';
import { jsonValue } from '../json-value.ts';
import { loaderFault, mayReachPlugin } from '../loader-variables.ts';
import { dockerHelperPrefix, isOwnProgram } from '../program-names.ts';
import { awsAccount, awsEksAccount } from './aws.ts';
import { inventory } from './inventory.ts';
import { markColors } from './mark-colors.ts';
import { configName, displayName, labels, namespaceName, secretDataKey } from './names.ts';
import { pkcs11Account } from './pkcs11.ts';
import { proxy } from './proxy.ts';
import { lookAlikeFault, serverUrl } from './url-rules.ts';

/**
 * config.yaml: no secrets, read and edited by hand. The JSON Schema for editors is generated from this file (`npm run
 * generate`). Keys are camelCase, names are the ids.
 */

const path = z.string().min(1).max(4096);

/** The three schemes that kubectl accepts. No user name, since config.yaml must not have its password. */
const proxyUrl = z
  .url({ protocol: /^(https?|socks5)$/, error: 'expected an http://, https:// or socks5:// URL' })
  .max(2048)
  .refine((text) => /^[\x21-\x7e]*$/.test(text), { error: lookAlikeFault })
  .refine((text) => !URL.canParse(text) || new URL(text).username + new URL(text).password === '', {
    error: 'must not hold a user name or password: config.yaml holds no secrets',
  });

/** A redirect URI on this machine (RFC 8252, 7.3): plain http to loopback, nothing that could lead elsewhere. */
const loopbackRedirect = z
  .string()
  .max(512)
  .regex(
    /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:[1-9]\d{0,4})?(\/(?!\.)[\w~-][\w.~-]*)*\/?$/,
    'expected http://127.0.0.1, http://[::1] or http://localhost, with a port or without, and a plain path',
  )
  .refine((text) => URL.canParse(text), { error: 'the port is 65535 at most' });

/** PEM in base64, as in a kubeconfig. */
const certificateAuthorityData = z
  .base64()
  .min(1)
  .max(1024 * 1024)
  .optional();

/** Headers with credentials, and those that HTTP sets. */
const ownHeaders =
  /^(authorization|cookie2?|dpop|host|content-.*|transfer-.*|connection|keep-alive|proxy-.*|te|trailer|upgrade|expect|accept-encoding)$/i;

const extraHeaders = z
  .record(z.string().min(1).max(64), z.string().max(1024))
  .superRefine((headers, context) => {
    for (const [name, value] of Object.entries(headers)) {
      // RFC 9110, sections 5.1 and 5.5: a line break in a value would start another header.
      const message = !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)
        ? 'not a header’s name'
        : ownHeaders.test(name)
          ? 'this header is not for config.yaml: it carries a credential, or HTTP sets it itself'
          : /^[\t\x20-\x7e]*$/.test(value)
            ? null
            : 'expected plain ASCII without control characters';
      if (message !== null) {
        context.addIssue({ code: 'custom', path: [name], message });
      }
    }
  });

/** A program’s name or absolute path: a relative path would depend on the broker’s working directory. */
const programName = z
  .string()
  .min(1)
  .max(4096)
  .regex(
    /^(?!~)(?:[^/\\\0\r\n]+|\/[^\0\r\n]+|[A-Za-z]:\\[^\0\r\n]+)$/,
    'expected a program’s name or its whole path',
  );

/** A program and its arguments; it is run without a shell. */
const programWords = z.tuple(
  [programName],
  z
    .string()
    .max(4096)
    .regex(/^[^\0\r\n]*$/, 'expected one line'),
);

/** An account that logs in by OpenID Connect, or by OAuth client credentials. */
export const oidcAccount = z.strictObject({
  issuer: serverUrl.describe('The provider’s issuer, exactly as its discovery document says it.'),
  clientId: z.string().min(1).max(1024).describe('The client registered for Kubernetes tools.'),
  flow: z
    .enum(['auto', 'browser', 'device', 'clientCredentials', 'serviceAccountToken'])
    .default('auto')
    .describe(
      'How a login is made: in a browser where there is a display, else by device code (auto); or by the client’s own secret or key, without a user (clientCredentials). serviceAccountToken: no login; the service account’s token that a kubelet passes on is exchanged (RFC 8693), for registries.',
    ),
  serviceAccountTokenAudience: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe(
      'With flow serviceAccountToken: the audience that a kubelet requests its tokens for (lanyard image config). Without it: the issuer.',
    ),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'expected a scope: no space, quote or backslash'))
    .default(['openid', 'offline_access'])
    .describe('What the provider is asked for.'),
  token: z.enum(['id', 'access']).default('id').describe('Which token the cluster takes.'),
  certificateAuthority: path.optional().describe('PEM file with the provider’s own CA.'),
  certificateAuthorityData: certificateAuthorityData.describe('The same as data, in place of the file.'),
  redirectPorts: z
    .array(z.int().min(1).max(65_535))
    .max(16)
    .default([])
    .describe('Ports for the login’s way back to this machine, tried in order; any free one without them.'),
  redirectUri: loopbackRedirect
    .optional()
    .describe(
      'The way back exactly as it is registered at the provider, where Lanyard can’t choose it; without a port, redirectPorts count. Without it: http://127.0.0.1/callback/ and a digest of the issuer.',
    ),
  clientAssertionFile: path
    .optional()
    .describe(
      'A file with a signed token by which the client proves itself (workload identity; RFC 7523): read again for each request.',
    ),
  clientKeyAccount: configName
    .optional()
    .describe(
      'An account of kind pkcs11: the client proves itself by an assertion that this account’s key signs (private_key_jwt).',
    ),
  clientKeyId: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('With clientKeyAccount: the key’s id at the provider (kid), where that needs one.'),
  clientCertificateAccount: configName
    .optional()
    .describe(
      'An account of kind pkcs11: its certificate is shown to the provider in TLS (mutual TLS; RFC 8705).',
    ),
  loginHint: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('Login hint sent to the provider, such as an email address.'),
  browser: programWords
    .optional()
    .describe(
      'The program that opens this account’s login page, and its arguments: [firefox, -P, work]. The address is added at the end. The system’s browser without it.',
    ),
  extraParams: z
    .record(z.string().min(1).max(64), z.string().max(1024))
    .default({})
    .describe('More parameters of the authorization request, such as prompt or resource.'),
  extraHeaders: extraHeaders
    .default({})
    .describe('More headers of each request to the provider. No secrets.'),
  proxyUrl: z
    .url({ protocol: /^https?$/, error: 'expected an http:// or https:// URL' })
    .max(2048)
    .refine((text) => /^[\x21-\x7e]*$/.test(text), { error: lookAlikeFault })
    .refine((text) => !URL.canParse(text) || new URL(text).username + new URL(text).password === '', {
      error: 'must not hold a user name or password: config.yaml holds no secrets',
    })
    .optional()
    .describe('Reach the provider through this proxy; without it HTTPS_PROXY and NO_PROXY count.'),
  loginWithoutTerminal: z
    .boolean()
    .default(false)
    .describe('Open the login page also for a program that has no terminal.'),
});

/** An account with one token, in the vault or a file. */
export const staticTokenAccount = z.strictObject({
  file: path.optional().describe('Read again when it changes. Without it the token is in the vault.'),
});

/** An account with one client certificate and its key, in files or the vault. */
export const clientCertificateAccount = z.strictObject({
  certificateFile: path.optional().describe('PEM with the certificate and its intermediates.'),
  keyFile: path.optional().describe('PEM with the private key.'),
});

/** A login at a container registry, as docker knows it. Its password or identity token is in the vault. */
export const registryAccount = z.strictObject({
  userName: z
    .string()
    .min(1)
    .max(256)
    // RFC 7617, section 2: a colon ends the user name.
    .regex(/^[^\p{Cc}:]+$/u, 'expected a user name: no colon and no control characters')
    .refine((text) => text !== identityTokenUser, { error: 'leave the user name out for an identity token' })
    .optional()
    .describe(
      'The user name that goes with the password. Without it the vault has an identity token in place of a password.',
    ),
});

/** `NAME`, or `PREFIX*` for all names that begin with PREFIX. */
const variablePattern = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]{0,126}\*?$/,
    'expected a variable’s name, or the beginning of names and a *',
  );

/** A variable’s name, but none that makes a program load or run something else (rule: cleared-environment). */
const pluginVariable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'expected a variable’s name')
  .refine(mayReachPlugin, { error: loaderFault });

/** What each plugin has: the program, and how it is found. */
const pluginParts = {
  command: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^[^\0\r\n]*$/, 'expected one line')
    .describe(
      'The plugin: a name, found in searchPath; or a path, which counts from config.yaml’s folder where it isn’t absolute.',
    ),
  args: z
    .array(z.string().max(64 * 1024))
    .max(256)
    .default([])
    .describe('Its arguments. No secrets: others can see them.'),
  env: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'expected a variable’s name'),
        value: z
          .string()
          .max(64 * 1024)
          .regex(/^[^\0]*$/, 'can’t hold a NUL')
          .optional()
          .describe('Without it the value is in the vault: lanyard secret set ACCOUNT/env.NAME.'),
      }),
    )
    .max(128)
    .default([])
    .describe('Variables that the plugin gets beside its base; they win over the caller’s.'),
  searchPath: z
    .string()
    .max(32 * 1024)
    .optional()
    .describe('The plugin’s PATH, and where a bare command is found; absolute folders, as in PATH.'),
  pin: z
    .boolean()
    .default(false)
    .describe('Pause the account when the plugin’s file changes, until you approve it.'),
};

/** KEP-2133 from the kubelet’s side: an image credential provider, and how Lanyard runs it. */
export const credentialProviderAccount = z.strictObject({
  apiVersion: z
    .enum([
      'credentialprovider.kubelet.k8s.io/v1',
      'credentialprovider.kubelet.k8s.io/v1beta1',
      'credentialprovider.kubelet.k8s.io/v1alpha1',
    ])
    .describe('The version of the request; the plugin must answer with the same.'),
  ...pluginParts,
  env: pluginParts.env.describe('Variables that the plugin gets beside its base, such as AWS_PROFILE.'),
  tokenAttributes: z
    .strictObject({
      serviceAccountTokenAudience: z
        .string()
        .max(1024)
        .optional()
        .describe('The audience that a kubelet requests its tokens for (lanyard image config). Required.'),
      cacheType: z
        .string()
        .max(64)
        .optional()
        .describe(
          'Token, or ServiceAccount: the plugin must not return the token as the password. Required.',
        ),
      requireServiceAccount: z
        .boolean()
        .optional()
        .describe('Don’t run the plugin without a service account’s token. Required.'),
      requiredServiceAccountAnnotationKeys: z
        .array(z.string().max(512))
        .max(64)
        .optional()
        .describe(
          'Annotations of the service account that the plugin gets; without one of them it isn’t run.',
        ),
      optionalServiceAccountAnnotationKeys: z
        .array(z.string().max(512))
        .max(64)
        .optional()
        .describe('Further annotations that the plugin gets.'),
    })
    .optional()
    .describe(
      'Pass the service account’s token of a request on to the plugin (KEP-4412); as in a kubelet’s CredentialProviderConfig. Only for version v1.',
    ),
  defaultCacheDuration: z
    .union([z.literal('0s'), durationText])
    .default('0s')
    .describe('How long an answer without a cacheDuration is cached, such as 12h; 0s: not at all.'),
});

/** Another credential helper of docker’s, which Lanyard asks. Its logins stay in its own store. */
export const credentialHelperAccount = z.strictObject({
  helper: z
    .string()
    .max(128)
    .regex(/^[A-Za-z0-9._-]+$/, 'expected the name of a credential helper: letters, digits and . _ -')
    .refine((name) => !isOwnProgram(`${dockerHelperPrefix}${name}`), {
      error: 'is Lanyard’s own helper: it would ask itself',
    })
    .describe(
      'NAME of the program docker-credential-NAME, as in docker’s credsStore: pass, secretservice, ecr-login.',
    ),
  env: pluginParts.env.describe('Variables that the helper gets beside its base, such as AWS_PROFILE.'),
  searchPath: pluginParts.searchPath.describe(
    'The helper’s PATH, where its program is found, too; absolute folders, as in PATH.',
  ),
  pin: pluginParts.pin,
  fallback: z
    .boolean()
    .default(false)
    .describe(
      'docker’s requests for servers that have neither a registry nor a stored entry go to this helper. One account at most.',
    ),
});

/** Where both kinds of secret reader find a Secret. */
const readerParts = {
  cluster: configName.describe(
    'The hub: a cluster of this file. Its Secrets are read with its own account’s credential.',
  ),
  namespace: namespaceName.describe(
    'The namespace of the Secrets. A namespace that a profile states is ignored.',
  ),
  cacheSeconds: z
    .int()
    .min(1)
    .max(7 * 86_400)
    .optional()
    .describe('How long a Secret’s content is cached; without this, for the calling process alone.'),
};

/** The community’s plugin `secretreader`: a token in a Secret of a hub (KEP-4322). */
export const secretReaderAccount = z.strictObject({
  ...readerParts,
  key: secretDataKey.default('token').describe('The key of the Secret’s data that has the token.'),
});

/** The community’s plugin `kubeconfig-secretreader`: a kubeconfig in a Secret of a hub (KEP-4322). */
export const kubeconfigSecretReaderAccount = z.strictObject(readerParts);

/** The client’s side of KEP-541: `users[].user.exec` of a kubeconfig, and how Lanyard runs it. */
export const execPluginAccount = z.strictObject({
  apiVersion: z
    .enum([
      'client.authentication.k8s.io/v1',
      'client.authentication.k8s.io/v1beta1',
      'client.authentication.k8s.io/v1alpha1',
    ])
    .describe('What the plugin must answer with.'),
  command: pluginParts.command,
  args: pluginParts.args,
  env: pluginParts.env,
  installHint: z
    .string()
    .max(4096)
    .optional()
    .describe('What to do where the plugin isn’t there: shown then.'),
  provideClusterInfo: z
    .boolean()
    .default(false)
    .describe('Tell the plugin the cluster (spec.cluster); each cluster then has its own credential.'),
  interactiveMode: z
    .enum(['Never', 'IfAvailable', 'Always'])
    .optional()
    .describe('Whether it may ask the user. Required for v1; IfAvailable where an older version says none.'),
  searchPath: pluginParts.searchPath,
  environment: z
    .array(variablePattern)
    .max(64)
    .optional()
    .describe(
      'Variables of the caller that the answer depends on (AWS_PROFILE, AWS_*): each set of values has its own credential. For well-known plugins there is a default; [] is none.',
    ),
  timeoutSeconds: z
    .int()
    .min(1)
    .max(3600)
    .optional()
    .describe('How long one run may take: 60, or 180 where the user can be asked.'),
  cacheSeconds: z
    .int()
    .min(1)
    .max(7 * 86_400)
    .optional()
    .describe(
      'How long an answer without an expirationTimestamp is kept; without this, for the calling process alone.',
    ),
  share: z
    .boolean()
    .default(true)
    .describe('false: it gets the caller’s whole environment, and its answer is for that terminal alone.'),
  passProxyConfig: z
    .boolean()
    .default(false)
    .describe(
      'true: a client with a lock file (KEP-2718) gets a run of its own, which is told that file, and the proxy that the plugin answers with (status.proxyConfig).',
    ),
  pin: pluginParts.pin,
});

/** AWS keys by a program that prints them as `credential_process` does, such as `aws configure export-credentials`. */
export const awsProcessAccount = z.strictObject({
  ...pluginParts,
  timeoutSeconds: z.int().min(1).max(600).optional().describe('How long one run may take: 60.'),
});

/** A program of the person’s own that signs requests of proxied clusters (docs/request-signers.md). */
export const requestSignerAccount = z.strictObject({
  ...pluginParts,
  command: pluginParts.command.describe(
    'The signer: a name, found in searchPath; or a path, which counts from config.yaml’s folder where it isn’t absolute. It is kept running.',
  ),
  timeoutSeconds: z.int().min(1).max(60).default(5).describe('How long it may take to sign one request.'),
});

/** The kinds of account: an account has exactly one of these keys. */
export const accountKinds = {
  oidc: oidcAccount,
  staticToken: staticTokenAccount,
  clientCertificate: clientCertificateAccount,
  execPlugin: execPluginAccount,
  registry: registryAccount,
  credentialProvider: credentialProviderAccount,
  credentialHelper: credentialHelperAccount,
  secretReader: secretReaderAccount,
  kubeconfigSecretReader: kubeconfigSecretReaderAccount,
  aws: awsAccount,
  awsProcess: awsProcessAccount,
  awsEks: awsEksAccount,
  requestSigner: requestSignerAccount,
  pkcs11: pkcs11Account,
} as const;
export type AccountKind = keyof typeof accountKinds;

export const account = z.union([
  z.strictObject({ oidc: oidcAccount }),
  z.strictObject({ staticToken: staticTokenAccount }),
  z.strictObject({ clientCertificate: clientCertificateAccount }),
  z.strictObject({ execPlugin: execPluginAccount }),
  z.strictObject({ registry: registryAccount }),
  z.strictObject({ credentialProvider: credentialProviderAccount }),
  z.strictObject({ credentialHelper: credentialHelperAccount }),
  z.strictObject({ secretReader: secretReaderAccount }),
  z.strictObject({ kubeconfigSecretReader: kubeconfigSecretReaderAccount }),
  z.strictObject({ aws: awsAccount }),
  z.strictObject({ awsProcess: awsProcessAccount }),
  z.strictObject({ awsEks: awsEksAccount }),
  z.strictObject({ requestSigner: requestSignerAccount }),
  z.strictObject({ pkcs11: pkcs11Account }),
]);

const approvalText = z
  .string()
  .regex(
    /^(never|always|perTerminal|[1-9]\d{0,5}[smhd])$/,
    'expected never, always, perTerminal, or a time such as 15m',
  )
  .default('never');

export const cluster = z.strictObject({
  displayName: displayName
    .optional()
    .describe(
      'What pages, menus and windows call it, in any script: `Payments (production)`. Where the name itself counts, it is shown beside it. Needs no approval.',
    ),
  aliases: z
    .array(configName)
    .max(16)
    .optional()
    .describe('More names by which searches, color rules and the command line find it. Need no approval.'),
  labels: labels
    .optional()
    .describe(
      'Labels as in Kubernetes, to search and colour by: `{team: payments, env: prod}`. Need no approval.',
    ),
  server: serverUrl.describe('The API server’s address, as in a kubeconfig.'),
  certificateAuthority: path.optional().describe('PEM file; without it the system’s CAs count.'),
  certificateAuthorityData: certificateAuthorityData.describe('The same as data, in place of the file.'),
  tlsServerName: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .describe('The name in the server’s certificate, where it isn’t the host.'),
  insecureSkipTlsVerify: z.boolean().default(false).describe('Don’t check the server’s certificate.'),
  proxyUrl: proxyUrl.optional().describe('Reach the server through this proxy.'),
  execConfig: jsonValue(64 * 1024)
    .optional()
    .describe(
      'What a plugin of its account is told of it as spec.cluster.config, with provideClusterInfo: any JSON. In a kubeconfig it is the cluster’s extension client.authentication.k8s.io/exec. No secrets.',
    ),
  disableCompression: z
    .boolean()
    .optional()
    .describe('Clients don’t ask the server for compressed answers, which is faster on a fast network.'),
  account: configName.describe('Whose credential this cluster gets.'),
  additionalArgs: z
    .array(
      z
        .string()
        .max(64 * 1024)
        .regex(/^[^\0]*$/, 'can’t hold a NUL'),
    )
    .max(256)
    .optional()
    .describe(
      'Arguments that its account’s exec plugin gets for this cluster, after its own. The answer is for this cluster alone. No secrets: others can see them.',
    ),
  additionalEnv: z
    .array(
      z.strictObject({
        name: pluginVariable,
        value: z
          .string()
          .max(64 * 1024)
          .regex(/^[^\0]*$/, 'can’t hold a NUL'),
      }),
    )
    .max(128)
    .optional()
    .describe(
      'Variables that its account’s exec plugin gets for this cluster; they win over the account’s. The answer is for this cluster alone. No secrets.',
    ),
  proxy: proxy
    .optional()
    .describe(
      'Clients send their requests through Lanyard’s request proxy on this machine, which adds the credential and does what the chain says. For servers that want more than one bearer token.',
    ),
  withoutInfo: z
    .enum(['refuse', 'allow'])
    .default('refuse')
    .describe('Whether a request without spec.cluster is answered.'),
  audience: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe(
      'The cluster takes only tokens for this audience: the account’s is exchanged for one (RFC 8693).',
    ),
  approval: approvalText.describe(
    'When you are asked before a credential goes to this cluster: never, always, once per terminal, or once for this long (30s, 15m, 8h, 1d).',
  ),
  execCredential: z
    .enum(['ask', 'allow', 'refuse'])
    .default('ask')
    .describe(
      'Whether `lanyard exec-credential` prints this cluster’s credential: after you approve at the terminal (ask), always, or never.',
    ),
});

/** A registry’s pattern as a kubelet’s matchImages has it (KEP-2133); its rules: domain/image. */
const imagePattern = z
  .string()
  .min(1)
  .max(2048)
  .regex(/^[\x21-\x7e]+$/, 'expected a registry’s host, with a port or path: no spaces');

/** A token server’s host, with its port where it isn’t 443. */
const tokenServer = z
  .string()
  .max(259)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[1-9]\d{0,4})?$/,
    'expected a host such as auth.example.com or auth.example.com:8443, in lower case',
  );

/** A registry: which images, whose credential (KEP-2133, and docker’s credential helpers). */
export const registry = z.strictObject({
  matchImages: z
    .array(imagePattern)
    .min(1)
    .max(256)
    .describe(
      'The images, as a kubelet’s matchImages: `registry.example.com`, `*.azurecr.io`, `ghcr.io/team`, `localhost:5000`. A `*` stands for a part of one label of the host. Docker Hub is docker.io.',
    ),
  account: configName.describe('Whose credential these images get.'),
  userName: z
    .string()
    .min(1)
    .max(256)
    .regex(/^[^\p{Cc}:]+$/u, 'expected a user name: no colon and no control characters')
    .optional()
    .describe(
      'The user name beside the token of an account that has tokens, such as `oauth2accesstoken`. A registry login has its own.',
    ),
  audience: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe(
      'The registry takes only tokens for this audience: the account’s is exchanged for one (RFC 8693).',
    ),
  approval: approvalText.describe(
    'When you are asked before a credential goes to this registry: never, always, once per terminal, or once for this long (30s, 15m, 8h, 1d).',
  ),
  cacheDuration: z
    .union([z.literal('0s'), durationText])
    .default('0s')
    .describe(
      'How long a kubelet may keep the credential. A lock, a logout and an approval can’t recall what it keeps: not at all, unless set.',
    ),
  calledAs: z
    .string()
    .max(64)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'expected letters, digits and . _ -')
    .optional()
    .describe(
      'Only for docker’s helper by the name docker-credential-lanyard-NAME: so one registry can have several accounts.',
    ),
  tokenServers: z
    .array(tokenServer)
    .min(1)
    .max(16)
    .optional()
    .describe(
      'Hosts beside the registry’s own that its credential may go to for a token, such as `auth.example.com`, when Lanyard tests the login. Those of Docker Hub and GitLab are known.',
    ),
});

/** When the broker locks. The durations are texts such as `15m`. */
export const lockSettings = z.strictObject({
  afterIdle: durationText
    .optional()
    .describe(
      'Lock when you have asked nothing for this long, time asleep included. A command at a terminal counts, and the first request of a program that has a terminal; what a program asks for itself after that, or without a terminal, does not. Never without it.',
    ),
  withScreen: z
    .boolean()
    .optional()
    .describe(
      'Lock when your screen is locked. Only where the desktop app runs, which sees the screen; programs in the background get nothing meanwhile. Not without it.',
    ),
  biometrics: z
    .enum(['never', 'unlock', 'always'])
    .optional()
    .describe(
      'When the desktop app has the system ask for a finger or a face (Touch ID, Windows Hello), where it can: as Lanyard is unlocked without a passphrase, or always, which is at each Yes in its own windows, too. Without it: unlock.',
    ),
});

/** How long history.db keeps its events. */
export const historySettings = z.strictObject({
  keep: durationText.default('90d').describe('How long calls, renewals and logins are kept.'),
});

/** The metrics endpoint, for Prometheus. */
export const metricsSettings = z.strictObject({
  listen: z
    .string()
    .regex(/^(127\.0\.0\.1|\[::1\]):[1-9]\d{0,4}$/, 'expected 127.0.0.1:PORT or [::1]:PORT')
    .refine((text) => Number(text.slice(text.lastIndexOf(':') + 1)) <= 65_535, {
      error: 'expected a port up to 65535',
    })
    .optional()
    .describe('Serve /metrics at this loopback address. Not served without it.'),
});

/** How the UI looks. Applies without approval. */
export const appearanceSettings = z.strictObject({
  theme: z
    .enum(['system', 'light', 'dark'])
    .default('system')
    .describe('Colours: as the system has them, or always one.'),
  colors: z
    .array(
      z.strictObject({
        match: z
          .string()
          .min(1)
          .max(320)
          .regex(
            /^(?=\S)[^\p{C}\p{Zl}\p{Zp}]+(?<=\S)$/u,
            'expected a name, a pattern such as prod*, or a label such as env=prod',
          )
          .describe(
            'A name, display name or alias, `*` for any letters in it: `prod*`; or a label: `env=prod`. In approvals the name alone counts.',
          ),
        color: z.enum(markColors).describe('The mark’s colour.'),
        text: displayName
          .max(24, 'expected at most 24 characters')
          .optional()
          .describe('What the mark says. Without it: `match` without its `*`, or the label’s value.'),
      }),
    )
    .max(64)
    .optional()
    .describe('Marks for clusters, in lists, menus and windows: the first that matches counts.'),
  favorites: z.array(configName).max(256).optional().describe('Clusters at the top of the list.'),
  dismissedWarnings: z
    .array(z.string().min(1).max(4000))
    .max(64)
    .optional()
    .describe('Warnings about this file that the window doesn’t show any more, by their text.'),
});

/** Which notifications are shown. Applies without approval. */
export const notificationSettings = z.strictObject({
  questions: z.boolean().default(true).describe('A program waits for an answer.'),
  logins: z.boolean().default(true).describe('An account needs a login.'),
  ending: z.boolean().default(true).describe('A credential that only you can replace expires soon.'),
  problems: z.boolean().default(true).describe('A provider, a plugin or a cluster keeps failing.'),
  changes: z
    .boolean()
    .default(true)
    .describe('A change of config.yaml needs approval, or a kubeconfig has new clusters.'),
});

/** The check for newer versions of the desktop app. Applies without approval: it fetches and installs nothing. */
export const updateSettings = z.strictObject({
  check: z.boolean().default(true).describe('Check for updates daily, where this build has a feed.'),
});

/**
 * The terminal that the window opens. Applies without approval: the broker’s own window shows the program before it is
 * started, and no page can set it.
 */
export const terminalSettings = z.strictObject({
  command: programWords
    .optional()
    .describe(
      'The terminal program that “Open terminal” starts, and its arguments: [kitty]. What it runs is added at the end, on macOS as a file. The system’s terminal without it.',
    ),
});

/** The settings: the top-level keys beside those of `configuredKinds`. */
export const settingSchemas = {
  lock: lockSettings,
  history: historySettings,
  metrics: metricsSettings,
  appearance: appearanceSettings,
  notifications: notificationSettings,
  updates: updateSettings,
  terminal: terminalSettings,
} as const;
export type SettingName = keyof typeof settingSchemas;

/**
 * The kinds of entries that count only as the user approved them (rule: confirmed-binding): `group` is the key of
 * config.yaml and of the vault under which they are, by name. A kind’s own rules: domain/approval/kind-rules.ts.
 */
export const configuredKinds = {
  account: { group: 'accounts', schema: account },
  cluster: { group: 'clusters', schema: cluster },
  registry: { group: 'registries', schema: registry },
  inventory: { group: 'inventories', schema: inventory },
} as const;
export type ConfiguredKind = keyof typeof configuredKinds;
export type GroupOf<Kind extends ConfiguredKind> = (typeof configuredKinds)[Kind]['group'];
export type ConfigGroup = GroupOf<ConfiguredKind>;
export type ConfigOf<Kind extends ConfiguredKind> = z.infer<(typeof configuredKinds)[Kind]['schema']>;

export function groupOf<Kind extends ConfiguredKind>(kind: Kind): GroupOf<Kind> {
  return configuredKinds[kind].group;
}

/** In the order in which they are listed. */
export function kindNames(): ConfiguredKind[] {
  return Object.keys(configuredKinds) as ConfiguredKind[];
}

/** A value for each group. */
export function byGroup<Value>(make: (kind: ConfiguredKind) => Value): Record<ConfigGroup, Value> {
  const values = kindNames().map((kind) => [groupOf(kind), make(kind)]);
  return Object.fromEntries(values) as Record<ConfigGroup, Value>;
}

type EntriesSchema = {
  [Kind in ConfiguredKind as GroupOf<Kind>]: z.ZodDefault<
    z.ZodRecord<typeof configName, (typeof configuredKinds)[Kind]['schema']>
  >;
};

export const config = z.strictObject({
  version: z.literal(1),
  ...(byGroup((kind) => z.record(configName, configuredKinds[kind].schema).default({})) as EntriesSchema),
  lock: lockSettings.prefault({}),
  history: historySettings.prefault({}),
  metrics: metricsSettings.prefault({}),
  appearance: appearanceSettings.prefault({}),
  notifications: notificationSettings.prefault({}),
  updates: updateSettings.prefault({}),
  terminal: terminalSettings.prefault({}),
});

export type OidcAccountConfig = z.infer<typeof oidcAccount>;
export type ClientCertificateAccountConfig = z.infer<typeof clientCertificateAccount>;
/** A provider plugin of config.yaml. */
export type CredentialProviderConfig = z.infer<typeof credentialProviderAccount>;
/** Another credential helper of docker’s, of config.yaml. */
export type CredentialHelperConfig = z.infer<typeof credentialHelperAccount>;
export type ExecPluginConfig = z.infer<typeof execPluginAccount>;
export type AwsConfig = z.infer<typeof awsAccount>;
export type AwsProcessConfig = z.infer<typeof awsProcessAccount>;
export type AwsEksConfig = z.infer<typeof awsEksAccount>;
export type RequestSignerConfig = z.infer<typeof requestSignerAccount>;
export type AccountConfig = z.infer<typeof account>;
export type ClusterConfig = z.infer<typeof cluster>;
export type RegistryConfig = z.infer<typeof registry>;
export type Config = z.infer<typeof config>;
/** The settings of an empty config.yaml. */
export const defaultSettings: Settings = {
  lock: {},
  history: { keep: '90d' },
  metrics: {},
  appearance: { theme: 'system' },
  notifications: { questions: true, logins: true, ending: true, problems: true, changes: true },
  updates: { check: true },
  terminal: {},
};

export type NotificationSettings = z.infer<typeof notificationSettings>;
export type Settings = Pick<Config, SettingName>;
/** The settings that apply only once the user has approved them (rule: confirmed-binding). */
export type BoundSettings = Pick<Config, 'lock' | 'history' | 'metrics'>;
