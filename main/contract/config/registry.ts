import { z } from 'zod';
import { durationText } from '../duration.ts';
import { configName } from './names.ts';
import { approvalText } from './values.ts';

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

export type RegistryConfig = z.infer<typeof registry>;
