import { FileInput } from 'lucide-react';
import { useBroker } from '../../stores/use-broker.tsx';
import { useAction, useCall } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Strip } from '../../ui/strip.tsx';
import { useToast } from '../../ui/toast.tsx';

/** An offer to import users that other programs added to a kubeconfig, or to finish an import. */
export interface ShownOffer {
  file: string;
  importable: readonly string[];
  stands: 'new' | 'inForce';
}

/** Null: there is none. */
export function useOffer(): ShownOffer | null {
  const offers = useBroker((state) => state.sections.imports);
  const nothing = useBroker(
    (state) =>
      Object.keys(state.sections.clusters).length === 0 && Object.keys(state.sections.accounts).length === 0,
  );
  // If nothing is imported yet, the page itself offers the import.
  const [offer] = nothing ? [] : Object.values(offers);
  // The offers may change with what is active or pending.
  const version = useBroker(({ sections: { held, accounts, clusters, lock } }) =>
    [
      ...Object.keys(held),
      Object.keys(accounts).length,
      Object.keys(clusters).length,
      lock['']?.kind ?? '',
    ].join(' '),
  );
  const { value, loading } = useCall(
    'import.stands',
    { file: offer?.file ?? '' },
    { skip: !offer, refreshOn: `${version} ${offer?.importable.join(' ') ?? ''}` },
  );
  const stands = value?.stands ?? 'new';
  // The strip of pending changes shows a pending import. Before the answer arrives, no user is called new.
  return !offer || stands === 'held' || (loading && value === null) ? null : { ...offer, stands };
}

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
