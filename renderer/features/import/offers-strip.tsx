import { FileInput } from 'lucide-react';
import { useBroker } from '../../stores/use-broker.tsx';
import { useAction } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Strip } from '../../ui/strip.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Users that other programs wrote into a kubeconfig: offered, never imported unasked. */
export function OffersStrip() {
  const offers = useBroker((state) => state.sections.imports);
  const nothing = useBroker(
    (state) =>
      Object.keys(state.sections.clusters).length === 0 && Object.keys(state.sections.accounts).length === 0,
  );
  const dismiss = useAction('import.dismiss');
  const toast = useToast();
  // With nothing imported yet the whole page is an invitation to it.
  const [offer] = nothing ? [] : Object.values(offers);
  if (!offer) {
    return null;
  }
  const { file, importable } = offer;
  const names = importable.slice(0, 3).join(', ');
  const more = importable.length > 3 ? ` and ${importable.length - 3} more` : '';
  return (
    <Strip
      label="New in your kubeconfig"
      icon={<FileInput />}
      actions={
        <>
          <Button
            size="small"
            onClick={() => {
              window.location.hash = '#/import';
            }}
          >
            Import
          </Button>
          <Button
            size="small"
            kind="quiet"
            busy={dismiss.busy}
            onClick={() =>
              void dismiss.run({ file }).then((done) => {
                if (done && !done.kept) {
                  toast.show(
                    'Dismissed until the broker ends',
                    'That could not be written: its log says why.',
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
      <strong>
        {names}
        {more}
      </strong>{' '}
      {importable.length === 1 ? 'is' : 'are'} new in <span className="mono">{file}</span>.
    </Strip>
  );
}
