import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

export function View() {
  return (
    <Page title="Settings">
      <Empty title="Not here yet" text="This view is not there yet." />
    </Page>
  );
}
