import { z } from 'zod';

/** Values that several entries and settings have. */

export const filePath = z.string().min(1).max(4096);

/** PEM in base64, as in a kubeconfig. */
export const certificateAuthorityData = z
  .base64()
  .min(1)
  .max(1024 * 1024)
  .optional();

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
export const programWords = z.tuple(
  [programName],
  z
    .string()
    .max(4096)
    .regex(/^[^\0\r\n]*$/, 'expected one line'),
);

/** When a request needs the user’s approval. */
export const approvalText = z
  .string()
  .regex(
    /^(never|always|perTerminal|[1-9]\d{0,5}[smhd])$/,
    'expected never, always, perTerminal, or a time such as 15m',
  )
  .default('never');
