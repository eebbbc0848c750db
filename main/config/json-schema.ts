import { z } from 'zod';
import { config } from '../contract/config/config.ts';

/** The JSON Schema (draft 2020-12) of config.yaml, for editors. Made from the schemas that validate it. */
export function configJsonSchemaText(): string {
  const schema = z.toJSONSchema(config, { io: 'input', target: 'draft-2020-12' });
  const { $schema, ...rest } = schema;
  const title = 'Lanyard config.yaml';
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}
