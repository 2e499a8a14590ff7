import { createTheme, MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n';
import { nonce } from './nonce';
import { readableColours, theme } from './theme';

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
