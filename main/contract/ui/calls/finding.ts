import { z } from 'zod';

/** What a test of settings that aren’t saved found. */
export const finding = z.object({
  check: z.string(),
  level: z.enum(['problem', 'warning', 'note', 'ok']),
  message: z.string(),
  hint: z.string().nullable(),
  /** The key in config.yaml that fixes it; null: none does. */
  field: z.string().nullable(),
});
export type TestFinding = z.infer<typeof finding>;
