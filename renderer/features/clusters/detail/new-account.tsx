import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { part } from '../../../ui/part.tsx';

const AddAccount = part(async () => (await import('../../accounts/add-account.tsx')).AddAccount);

/** Adds an account on the way, for a cluster whose account isn’t there yet. */
export function NewAccount({ onSaved }: { onSaved(name: string): void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <Button size="small" icon={<Plus />} calls onClick={() => setIsOpen(true)}>
        Add an account…
      </Button>
      {isOpen && (
        <Suspense>
          <AddAccount onClose={() => setIsOpen(false)} onSaved={onSaved} />
        </Suspense>
      )}
    </div>
  );
}
