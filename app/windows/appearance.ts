import { type Disposable, Disposables } from '../../main/base/disposables.ts';
import type { LocalPage } from '../../main/doors/ui/local-page.ts';
import type { ElectronModule } from '../electron.ts';

/** The grounds of renderer/theme/tokens.css (`--background`): nothing flashes before the page is drawn. */
const grounds = { light: '#f9fbfc', dark: '#12161b' } as const;

/** The window's own ground now. */
export function groundOf({
  shouldUseDarkColors,
}: Pick<ElectronModule['nativeTheme'], 'shouldUseDarkColors'>): string {
  return shouldUseDarkColors ? grounds.dark : grounds.light;
}

export interface AppearanceDeps {
  nativeTheme: ElectronModule['nativeTheme'];
  page: Pick<LocalPage, 'state' | 'onChange'>;
  /** Light and dark have changed places. */
  onGround(): void;
}

/** What the person chose in Lanyard's settings holds for frames, menus and pages; else the system's choice. */
export function followAppearance({ nativeTheme, page, onGround }: AppearanceDeps): Disposable {
  const follow = () => {
    const theme = page.state().appearance['']?.theme ?? 'system';
    if (nativeTheme.themeSource !== theme) {
      nativeTheme.themeSource = theme;
    }
  };
  follow();
  nativeTheme.on('updated', onGround);
  const all = new Disposables();
  all.add(page.onChange(follow));
  all.add({ dispose: () => void nativeTheme.removeListener('updated', onGround) });
  return all;
}
