// All tests in one process, since starting Node for each file would take longer than the tests.
// tests/clients/typescript_client starts the service and runs this.
import "./endpoints.test.js";
import "./errors.test.js";
import "./hostile.test.js";
import "./lists.test.js";
import "./receiving.test.js";
import "./retries.test.js";
import "./types.test.js";
import "./verify.test.js";
