import type { ApiResponse } from '#testing/api-client.js';
import { persist, type Deadline } from './persist.js';

/**
 * The first request with the same `Idempotency-Key` is in progress, or died with its gateway, so the response comes
 * later.
 */
const isUnderWay = ({ status, json }: ApiResponse) => status === 409 && json.code === 'idempotency_under_way';

/**
 * Sends a request until the gateway answers it; repeats it after a 5xx.
 *
 * @param what description of the request, which starts the error message
 */
export function untilAnswered(
  what: string,
  send: () => Promise<ApiResponse>,
  deadline: Deadline,
): Promise<ApiResponse> {
  const work = async () => {
    const response = await send();
    if (response.status >= 500 || isUnderWay(response))
      throw new Error(`the gateway answers ${response.status}`);
    return response;
  };
  return persist(what, work, deadline);
}
