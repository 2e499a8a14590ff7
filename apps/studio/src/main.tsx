import '@mantine/core/styles.css';
import './ui/studio.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client';
import { loadMessages } from './i18n/i18n';
import { router } from './router';
import { nonce } from './ui/nonce';
import { readableColours, theme } from './ui/theme';

/** Messages, who is signed in, the page and what it shows are on their way together; pages need messages. */
async function start(): Promise<void> {
  // Mantine's dialogs lock the scrolling of the page by a style of their own.
  setNonce(nonce);
  await Promise.all([loadMessages(), router.load()]);
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={readableColours}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

// Not awaited: the pages import what this file is built together with, and would wait for it.
void start();
