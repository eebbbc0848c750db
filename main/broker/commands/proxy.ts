import type { Command } from '../../doors/cli/command.ts';
import {
  proxyEndCommand,
  proxyRequestsCommand,
  proxyStatusCommand,
} from '../../doors/cli/proxy/proxy-commands.ts';
import { proxyTryCommand } from '../../doors/cli/proxy/try-command.ts';
import type { Areas } from '../areas.ts';

export function proxyCommands({ deps, served, requestProxy }: Areas): [string, Command][] {
  const given = { requestProxy, config: served.serving, clock: deps.clock };
  return [
    ['proxy status', proxyStatusCommand(given)],
    ['proxy requests', proxyRequestsCommand(given)],
    ['proxy try', proxyTryCommand(given)],
    ['proxy end', proxyEndCommand(given)],
  ];
}
