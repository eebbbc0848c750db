import { createAccountsCalls } from '../../doors/ui/calls/accounts-calls.ts';
import { createLoginCalls } from '../../doors/ui/calls/login-calls.ts';
import { findProgram } from '../../platform/programs/find-program.ts';
import { type Areas, forgetWithAnswers } from '../areas.ts';

export function accountCalls(areas: Areas) {
  const { config, vault, clock, log, browser, environment } = areas.deps;
  const { bindings, programs } = areas.served;
  const { recorder } = areas.records;
  const { directory, logins, makeAccount } = areas.credentials;
  const { gate } = areas.locking;
  const { windows } = areas.consent;
  const pin = { windows, config: areas.served.serving };
  const forget = (name: string) => forgetWithAnswers(areas, name);
  return {
    ...createLoginCalls({ directory, logins, gate, browser, recorder, grants: { forget }, ...pin }),
    ...createAccountsCalls({
      config,
      vault,
      bindings,
      directory,
      gate,
      programs,
      plugins: areas.plugins,
      makeAccount,
      clock,
      log,
      recorder,
      onRemoved: forget,
      findProgram,
      environment,
    }),
  };
}
