import { z } from 'zod';
import { config } from '../contract/config/config.ts';

/** The JSON Schema of config.yaml for editors, made from the schemas that check it. */
export function configJsonSchemaText(): string {
  const schema = z.toJSONSchema(config, { io: 'input', target: 'draft-2020-12' });
  const { $schema, ...rest } = schema;
  const title = 'Lanyard config.yaml';
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}
