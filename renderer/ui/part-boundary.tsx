import { Component, type ReactNode, Suspense } from 'react';
import { PartFailed } from './part.tsx';
import { useToast } from './toast.tsx';

/**
 * Around a separate part that is shown over the views: where it can't be loaded, as the broker is away, it says so,
 * and the page stays as it was. With another `key` it starts afresh.
 */
export function PartBoundary({ onFailed, children }: { onFailed?(): void; children: ReactNode }) {
  const toast = useToast();
  return (
    <Boundary
      onFailed={() => {
        toast.fail({
          message: 'this part of the page could not be loaded',
          hint: 'try again when the broker is there, or reload the page',
        });
        onFailed?.();
      }}
    >
      <Suspense>{children}</Suspense>
    </Boundary>
  );
}

interface BoundaryProps {
  onFailed(): void;
  children: ReactNode;
}

class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    if (error instanceof PartFailed) {
      error.renew();
    }
    this.props.onFailed();
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children;
  }
}
