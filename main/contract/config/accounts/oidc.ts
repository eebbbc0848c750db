import { z } from 'zod';
import { parseUrl } from '../../parse-url.ts';
import { configName } from '../names.ts';
import { proxyUrl, serverUrl } from '../url-rules.ts';
import { certificateAuthorityData, filePath, programWords } from '../values.ts';

/** A redirect URI on this machine (RFC 8252, 7.3): plain http to loopback, nothing that could lead elsewhere. */
const loopbackRedirect = z
  .string()
  .max(512)
  .regex(
    /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:[1-9]\d{0,4})?(\/(?!\.)[\w~-][\w.~-]*)*\/?$/,
    'expected http://127.0.0.1, http://[::1] or http://localhost, with a port or without, and a plain path',
  )
  .refine((text) => parseUrl(text) !== null, { error: 'the port is 65535 at most' });

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
  certificateAuthority: filePath.optional().describe('PEM file with the provider’s own CA.'),
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
  clientAssertionFile: filePath
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
  proxyUrl: proxyUrl(/^https?$/, 'expected an http:// or https:// URL')
    .optional()
    .describe('Reach the provider through this proxy; without it HTTPS_PROXY and NO_PROXY count.'),
  loginWithoutTerminal: z
    .boolean()
    .default(false)
    .describe('Open the login page also for a program that has no terminal.'),
});

export type OidcAccountConfig = z.infer<typeof oidcAccount>;
