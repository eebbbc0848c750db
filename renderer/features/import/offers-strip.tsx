import { FileInput } from 'lucide-react';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Strip } from '../../ui/strip.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { ShownOffer } from './use-offer.ts';

/** Never imports them unasked. */
export function OffersStrip({ offer: { file, importable, stands } }: { offer: ShownOffer }) {
  const dismiss = useAction('import.dismiss');
  const toast = useToast();
  const names = importable.slice(0, 3).join(', ');
  const more = importable.length > 3 ? ` and ${importable.length - 3} more` : '';
  return (
    <Strip
      label={stands === 'new' ? 'New in your kubeconfig' : 'Unfinished import'}
      icon={<FileInput />}
      actions={
        <>
          <Button
            size="small"
            calls
            onClick={() => {
              window.location.hash = '#/import';
            }}
          >
            {stands === 'new' ? 'Import' : 'Finish'}
          </Button>
          <Button
            size="small"
            kind="quiet"
            busy={dismiss.busy}
            onClick={() =>
              void dismiss.run({ file }).then((done) => {
                if (done && !done.kept) {
                  toast.show(
                    'Dismissed until Lanyard restarts',
                    'Couldn’t save this choice. See the log for details.',
                  );
                }
              })
            }
          >
            Dismiss
          </Button>
        </>
      }
    >
      {stands === 'new' ? (
        <>
          <strong>
            {names}
            {more}
          </strong>{' '}
          {importable.length === 1 ? 'is' : 'are'} new in <span className="mono">{file}</span>.
        </>
      ) : (
        <>
          <strong>Import isn’t finished:</strong> update <span className="mono">{file}</span>
        </>
      )}
    </Strip>
  );
}
