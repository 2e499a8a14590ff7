import { createTheme, type CSSVariablesResolver } from '@mantine/core';

/** Ink on paper: one accent, system fonts (nothing is fetched from elsewhere), contrast of at least 4.5 in both schemes. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 7,
  autoContrast: true,
  respectReducedMotion: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace',
  // Names of tenants' things stand in badges, too: as they were written.
  components: {
    Badge: { defaultProps: { tt: 'none' } },
    // A dialog is no page: its head is no second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    // What scrolls can be reached by the keyboard.
    TableScrollContainer: { defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } } },
  },
  headings: { fontWeight: '650' },
});

/** Mantine's own dimmed text and errors are too pale to read (contrast below 4.5). */
export const readableColours: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': theme.colors.gray[7],
    '--mantine-color-placeholder': theme.colors.gray[7],
    '--mantine-color-error': theme.colors.red[9],
  },
  dark: {
    '--mantine-color-dimmed': theme.colors.gray[5],
    '--mantine-color-placeholder': theme.colors.gray[5],
    '--mantine-color-error': theme.colors.red[4],
  },
});
