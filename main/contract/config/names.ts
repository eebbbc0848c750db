import { z } from 'zod';

/** Names of accounts, clusters and their like: they are used in commands, contexts and file names. */
export const configName = z
  .string()
  .min(1, 'a name')
  .max(128, 'at most 128 characters')
  .regex(/^[A-Za-z0-9][A-Za-z0-9._@:/-]*$/, 'a letter or digit, then letters, digits and . _ @ : / -');

/** A namespace of Kubernetes: a label of RFC 1123. */
export const namespaceName = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'expected lower-case letters, digits and -');

/** A Secret’s name in Kubernetes: a subdomain of RFC 1123. It becomes a part of a request’s path. */
export const secretName = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/,
    'expected lower-case letters, digits, - and .',
  );

/** A key of a Secret’s data, as Kubernetes takes it. */
export const secretDataKey = z
  .string()
  .max(253)
  .regex(/^(?!\.$|\.\.)[A-Za-z0-9._-]+$/, 'expected letters, digits and . _ -');
