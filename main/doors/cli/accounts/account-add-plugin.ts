import type { InspectPlugin } from '../../../platform/programs/inspect-plugin.ts';
import type { DoorAnswer } from '../../../ports/door.ts';
import type { CommandCall } from '../command.ts';
import { addedAnswer, clusterAddLine, type EditDeps, editConfig } from '../edit-config.ts';
import { confirmProgram, type ExecPluginOptions, execPluginValue } from './exec-plugin-options.ts';

/** `lanyard account add NAME --exec-plugin COMMAND …` */
export async function addExecPlugin(
  call: CommandCall,
  name: string,
  values: ExecPluginOptions,
  deps: EditDeps & { look: InspectPlugin },
): Promise<DoorAnswer> {
  const value = await execPluginValue(call, name, values);
  const { command = '', searchPath, env } = value.execPlugin;
  const programs = await confirmProgram(call, name, { command, searchPath }, deps.look);
  const saved = await editConfig(call, { kind: 'set', what: 'account', name, value }, deps, programs);
  const unset = env?.find((each) => each.value === undefined);
  const next = unset ? `lanyard secret set ${name}/env.${unset.name}` : clusterAddLine(name);
  return addedAnswer(`account ${name}`, next, saved);
}
