import { createTheme } from '@mantine/core';

/** Ink on paper: one accent, system fonts (nothing is fetched from elsewhere), contrast of at least 4.5 in both schemes. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 5 },
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
});
