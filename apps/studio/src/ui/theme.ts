import { createTheme, type CSSVariablesResolver } from '@mantine/core';

/**
 * Theme with one accent colour, system fonts (nothing is loaded from elsewhere), and a contrast of at least
 * 4.5 in both schemes.
 */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 7,
  autoContrast: true,
  respectReducedMotion: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace',
  // Badges may contain tenants' names, which must not be capitalised.
  components: {
    Badge: { defaultProps: { tt: 'none' } },
    // A dialog's header must not count as a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    // Make the scroll area focusable for keyboard users.
    TableScrollContainer: { defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } } },
  },
  headings: { fontWeight: '650' },
});

/** Darkens Mantine's dimmed text, errors and titles of warnings, whose contrast is below 4.5. */
export const readableColours: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': theme.colors.gray[7],
    '--mantine-color-placeholder': theme.colors.gray[7],
    '--mantine-color-error': theme.colors.red[9],
    // Titles of warnings.
    '--mantine-color-yellow-light-color': '#664d03',
  },
  dark: {
    '--mantine-color-dimmed': theme.colors.gray[5],
    '--mantine-color-placeholder': theme.colors.gray[5],
    '--mantine-color-error': theme.colors.red[4],
  },
});
