import { useBroker } from '../../stores/use-broker.tsx';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Asks before an account is logged out: all of its clusters lose their credential. */
export function LogOutDialog({ account, onClose }: { account: string | null; onClose(): void }) {
  const clusters = useBroker((state) =>
    account === null ? 0 : (state.sections.accounts[account]?.clusters.length ?? 0),
  );
  const logOut = useAction('account.logout');
  const toast = useToast();
  const close = () => {
    logOut.reset();
    onClose();
  };
  const run = async () => {
    const done = account === null ? null : await logOut.run({ account, everywhere: false });
    if (done) {
      toast.show(done.message);
      close();
    }
  };
  return (
    <Dialog
      open={account !== null}
      onOpenChange={(open) => !open && close()}
      title={`Log out of ${account ?? ''}?`}
      size="small"
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="danger" busy={logOut.busy} onClick={() => void run()}>
            Log out
          </Button>
        </>
      }
    >
      <p>
        {clusters === 1
          ? 'One cluster loses its credential'
          : `Its ${clusters} clusters lose their credential`}
        , here and, where the provider can, there. To use them again, log in again.
      </p>
      {logOut.failure && <Failure failure={logOut.failure} />}
    </Dialog>
  );
}
