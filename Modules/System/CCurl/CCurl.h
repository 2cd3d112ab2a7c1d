#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

// Wrappers for the variadic functions of <curl/curl.h>, which Swift cannot import. There is one for each value type, so
// the compiler checks the arguments. They are followed by the system calls that a libcurl loop needs.

/// Sets an option with a `long` value.
static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

/// Sets an option with a text. libcurl copies the text before the call returns, except for CURLOPT_POSTFIELDS. NULL
/// resets the option.
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

/// Allows HTTP and HTTPS only. The option is given as a number, because headers since 7.85 mark its name as deprecated,
/// and its replacement does not exist before 7.85.
static inline CURLcode ccurl_set_protocols(CURL *easy) {
    return curl_easy_setopt(easy, (CURLoption)(CURLOPTTYPE_LONG + 181), (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
}

/// Options with a `long` value by their numbers, because older headers do not have their names.
enum {
    CCURL_MAXLIFETIME_CONN = 314,  // 7.80: the maximum age of a reused connection, in seconds
    CCURL_CA_CACHE_TIMEOUT = 321,  // 7.87: the time for which parsed authorities are kept, in seconds
    CCURL_QUICK_EXIT = 322,        // 7.87: abandons an unfinished name lookup instead of waiting for it
};

/// Sets such an option. An older library ignores it.
static inline void ccurl_set_newer(CURL *easy, int option, long value) {
    (void)curl_easy_setopt(easy, (CURLoption)(CURLOPTTYPE_LONG + option), value);
}

/// Sets the body. libcurl copies the bytes before the call returns, so the size must be set first.
static inline CURLcode ccurl_set_body(CURL *easy, const void *bytes, size_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, count ? bytes : "");
}

/// Sets the headers. libcurl keeps the list's address, so the list must outlive the transfer.
static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *list) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
}

/// Receives a part of a response's head or body. Any return value except `size * count` ends the transfer.
typedef size_t (*ccurl_sink)(char *bytes, size_t size, size_t count, void *context);

/// Sets the functions that receive the head and the body of the response.
static inline CURLcode ccurl_set_sinks(CURL *easy, ccurl_sink head, ccurl_sink body, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, head);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    return code;
}

/// Sets the buffer for error messages. It must have CURL_ERROR_SIZE bytes and outlive the transfer.
static inline CURLcode ccurl_set_error_buffer(CURL *easy, char *buffer) {
    return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

/// Returns the errno of the last failed attempt to connect, or 0.
static inline int ccurl_system_error(CURL *easy) {
    long error = 0;
    return curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &error) == CURLE_OK ? (int)error : 0;
}

/// Returns the status with which a proxy responded to CONNECT, or 0.
static inline int ccurl_proxy_status(CURL *easy) {
    long status = 0;
    return curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &status) == CURLE_OK ? (int)status : 0;
}

/// Opens a socket, or returns CURL_SOCKET_BAD.
typedef curl_socket_t (*ccurl_opener)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
/// Closes a socket, and returns 0 on success.
typedef int (*ccurl_closer)(void *context, curl_socket_t socket);

/// Sets the functions that open and close sockets. A connection uses both functions, and can outlive the easy handle,
/// so the context must outlive the multi handle.
static inline CURLcode ccurl_set_sockets(CURL *easy, ccurl_opener open, ccurl_closer close, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close);
    if (!code) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
    return code;
}

/// Sets an option of a multi handle with a `long` value.
static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// Attaches the caller's id to a handle; `ccurl_next_finished` returns it.
static inline CURLcode ccurl_set_id(CURL *easy, uintptr_t id) {
    return curl_easy_setopt(easy, CURLOPT_PRIVATE, (void *)id);
}

/// Returns the id of the next finished transfer and sets its code, or returns 0.
static inline uintptr_t ccurl_next_finished(CURLM *multi, CURLcode *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        char *id = NULL;
        if (message->msg != CURLMSG_DONE) continue;
        *code = message->data.result;  // The message is invalid after its handle is removed.
        if (curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &id) == CURLE_OK) return (uintptr_t)id;
    }
    return 0;
}

/// Waits until a transfer can continue, the signal is set or the time is up, and then clears the signal.
static inline CURLMcode ccurl_wait(CURLM *multi, int signal, int milliseconds) {
    struct curl_waitfd waited = {signal, CURL_WAIT_POLLIN, 0};
    uint64_t count;
    CURLMcode code = curl_multi_poll(multi, &waited, 1, milliseconds, NULL);
    if (waited.revents) (void)!read(signal, &count, sizeof count);
    return code;
}

/// Returns the number of files that the process may open at once, or -1 without a limit.
static inline long ccurl_file_limit(void) { return sysconf(_SC_OPEN_MAX); }

/// Opens a signal that a thread can wait for. Returns -1 if the system has no more descriptors.
static inline int ccurl_signal_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/// Sets a signal until it is read. Any thread may call it.
static inline void ccurl_signal_give(int signal) {
    uint64_t one = 1;
    (void)!write(signal, &one, sizeof one);
}

/// Opens a socket that child processes do not inherit. Closing it discards data that the system has not sent yet.
static inline int ccurl_socket_open(const struct curl_sockaddr *address) {
    struct linger now = {1, 0};
    int descriptor = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    if (descriptor >= 0) (void)setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    return descriptor;
}

/// Ends a connection at once, and discards data that the system has not sent yet. The owner must still close the
/// socket.
static inline void ccurl_socket_break(int descriptor) {
    struct sockaddr none = {.sa_family = AF_UNSPEC};
    if (connect(descriptor, &none, sizeof none)) (void)shutdown(descriptor, SHUT_RDWR);
}

/// Returns whether an idle connection has unexpected input: bytes, or the end of the connection.
static inline int ccurl_socket_has_input(int descriptor) {
    char byte;
    return recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0;
}

/// Returns a function of the OpenSSL that libcurl has loaded, or NULL if libcurl uses another TLS library.
static inline void *ccurl_openssl(const char *name) {
    const char *library = curl_version_info(CURLVERSION_NOW)->ssl_version;
    return library && !strncmp(library, "OpenSSL/", 8) ? dlsym(dlopen(NULL, RTLD_LAZY), name) : NULL;
}

/// Removes OpenSSL's key log callback from a connection.
static inline CURLcode ccurl_forget_key_log(CURL *easy, void *tls, void *context) {
    void (*set)(void *, void *) = (void (*)(void *, void *))ccurl_openssl("SSL_CTX_set_keylog_callback");
    (void)easy, (void)context;
    if (set) set(tls, NULL);
    return CURLE_OK;
}

/// Keeps the keys of a connection out of the file that the environment variable SSLKEYLOGFILE names. libcurl reads the
/// variable and opens the file when it is initialized, and has no option to prevent this. The return value is ignored,
/// because TLS libraries without such a callback write no keys.
static inline void ccurl_skip_key_log(CURL *easy) {
    (void)curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, ccurl_forget_key_log);
}

/// Keeps OpenSSL from freeing its memory when the process exits. It has no effect once OpenSSL is initialized.
static inline void ccurl_skip_tls_cleanup_at_exit(void) {
    int (*initialize)(uint64_t, const void *) = (int (*)(uint64_t, const void *))ccurl_openssl("OPENSSL_init_crypto");
    if (initialize) (void)initialize(0x80000, NULL);  // OPENSSL_INIT_NO_ATEXIT
}

/// Registers an exit handler, which runs before those registered earlier. Returns 0 on success.
static inline int ccurl_at_exit(void (*run)(void)) {
    return atexit(run);
}

/// Starts a thread, which must be joined. Returns 0 if the system cannot start one. The thread blocks SIGPIPE, because
/// OpenSSL may write to a closed connection.
static inline uintptr_t ccurl_thread_start(void *(*run)(void *), void *context, size_t stack) {
    sigset_t pipe, before;
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes)) return 0;
    (void)pthread_attr_setstacksize(&attributes, stack);
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    int error = pthread_create(&thread, &attributes, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error ? 0 : (uintptr_t)thread;
}

/// Waits until a thread has ended, including the cleanup that libraries do at its end.
static inline void ccurl_thread_join(uintptr_t thread) {
    (void)pthread_join((pthread_t)thread, NULL);
}

/// Names the calling thread for debuggers and tools. The name has at most 15 characters.
static inline void ccurl_thread_name(const char *name) {
    (void)prctl(PR_SET_NAME, name);
}

/// Returns whether the library has a default file of certificate authorities, and the file can be read.
static inline int ccurl_has_authorities_file(void) {
    const curl_version_info_data *version = curl_version_info(CURLVERSION_NOW);
    return version->age >= CURLVERSION_SEVENTH && version->cainfo && access(version->cainfo, R_OK) == 0;
}

#endif
