import {
  createTheme,
  MantineProvider,
  mergeThemeOverrides,
  rem,
  type CSSVariablesResolver,
} from '@mantine/core';
import { useMemo, type ComponentProps, type MouseEvent, type ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n';
import { nonce } from './nonce';

/** Provides the theme, with the built-in texts of Mantine's components in the pages' language. */
export function StudioTheme({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const worded = useMemo(() => {
    const Modal = { defaultProps: { closeButtonProps: { 'aria-label': t('dialog.close') } } };
    return mergeThemeOverrides(theme, createTheme({ components: { Modal } }));
  }, [t]);
  return (
    <MantineProvider
      theme={worded}
      cssVariablesResolver={readableColours}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      {children}
    </MantineProvider>
  );
}

/** A button that keeps the focus while it loads, because a disabled one loses it; it then ignores presses. */
function FocusableButton({ disabled, onClick, ...rest }: ComponentProps<'button'>) {
  const isLoading = 'data-loading' in rest && rest['data-loading'] === true;
  const ignore = (event: MouseEvent) => event.preventDefault();
  return (
    <button
      type="button"
      aria-disabled={disabled}
      {...rest}
      disabled={disabled && !isLoading}
      onClick={isLoading ? ignore : onClick}
    />
  );
}

/**
 * Theme with one accent colour, the bundled text face (`fonts.css`), one type scale of 12, 14, 16, 18, 22 and 28 px in the
 * weights 400, 600 and, for words that a text stresses, 700,
 * and a contrast of at least 4.5 in both schemes.
 */
const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 7,
  autoContrast: true,
  respectReducedMotion: true,
  defaultRadius: 'md',
  fontFamily:
    '"Source Sans 3", "Scriptorium Polish Letters", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace',
  // Badges may contain tenants' names, which must not be capitalised.
  components: {
    // Their words are short and must not be cut.
    Badge: { defaultProps: { tt: 'none', fw: 600, miw: 'max-content' } },
    // A dialog's header must not count as a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    Button: { defaultProps: { component: FocusableButton } },
    Select: { defaultProps: { allowDeselect: false } },
    Textarea: { defaultProps: { autosize: true } },
    // Make the scroll area focusable for keyboard users.
    TableScrollContainer: { defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } } },
  },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: rem(28), lineHeight: '1.25' },
      h2: { fontSize: rem(22), lineHeight: '1.3' },
      h3: { fontSize: rem(18), lineHeight: '1.35' },
      h4: { fontSize: rem(16), lineHeight: '1.4' },
      h5: { fontSize: rem(14), lineHeight: '1.45' },
    },
  },
  fontSizes: { xs: rem(12), sm: rem(14), md: rem(16), lg: rem(18), xl: rem(22) },
});

/** Raises the contrast of Mantine's dimmed text, errors, links, text buttons and titles of warnings to at least 4.5. */
const readableColours: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': theme.colors.gray[7],
    '--mantine-color-placeholder': theme.colors.gray[7],
    '--mantine-color-error': theme.colors.red[9],
    // Background of text buttons under the pointer.
    '--mantine-color-indigo-light-hover': theme.colors.indigo[1],
    // Titles of warnings and of answers.
    '--mantine-color-yellow-light-color': '#664d03',
    '--mantine-color-green-light-color': '#1b5e2b',
  },
  dark: {
    '--mantine-color-dimmed': theme.colors.gray[5],
    '--mantine-color-placeholder': theme.colors.gray[5],
    '--mantine-color-error': theme.colors.red[4],
    // Warnings and notes differ by their hue, not by their brightness.
    '--mantine-color-yellow-light': '#352d18',
    '--mantine-color-yellow-light-hover': '#453a1f',
    '--mantine-color-red-light': '#3d2223',
    '--mantine-color-green-light': '#1f3226',
    '--mantine-color-blue-light': '#1d2b3f',
    // Text buttons, as links.
    '--mantine-color-indigo-light-color': theme.colors.indigo[2],
    // Links, also in the row of a table under the pointer.
    '--mantine-color-anchor': theme.colors.indigo[3],
  },
});
