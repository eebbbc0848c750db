import type { Remedy } from '../../../main/contract/ui/health-words.ts';
import { useGo } from '../../navigation/use-route.ts';
import { useClient } from '../../stores/use-broker.tsx';
import { failureOf } from '../../stores/use-call.ts';
import { useToast } from '../../ui/toast.tsx';
import { useLogin } from '../login/use-login.ts';

/** What the user can do about an account’s registries: log in, set the secret, or approve what is pending. */
export function useRemedies(): Readonly<Record<Exclude<Remedy, 'why'>, (account: string) => void>> {
  const login = useLogin();
  const client = useClient();
  const toast = useToast();
  const go = useGo();
  return {
    logIn: (account) => login.open(account),
    setSecret: (account) => go('accounts', account),
    confirm() {
      client.call('window.open', { what: 'confirm' }).catch((error) => toast.fail(failureOf(error)));
    },
  };
}
