import type { ApiResponse } from '#testing/api-client.js';
import { persist, type Deadline } from './persist.js';

/** The first request under the same `Idempotency-Key` is under way, or died with its gateway: the answer comes later. */
const isUnderWay = ({ status, json }: ApiResponse) => status === 409 && json.code === 'idempotency_under_way';

/**
 * Sends a request until the gateway answers it; a 5xx counts as no answer.
 *
 * @param what the request, in words; it begins the error
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
