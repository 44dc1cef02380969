// Receives Tidings webhooks with nothing but Go's standard library: every post is verified, and
// every event handled once, before it is answered.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

const (
	maxBody   = 1 << 20
	tolerance = 300 * time.Second
)

type event struct {
	ID   string          `json:"id"`
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

// verify checks a post by its raw body. For 24 hours after a new secret was issued, posts carry a
// second signature made with the old one, so a receiver that knows either secret accepts them.
func verify(header http.Header, body []byte, secret string, now time.Time) error {
	timestamp := header.Get("X-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return errors.New("X-Timestamp is missing or no number")
	}
	if age := now.Sub(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return fmt.Errorf("the post is too old or its clock is off: %s", age.Round(time.Second))
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	for _, name := range []string{"X-Signature", "X-Signature-Previous"} {
		if hmac.Equal([]byte(header.Get(name)), []byte(expected)) {
			return nil
		}
	}
	return errors.New("the signature does not match the body and the secret")
}

// receiver remembers the events that it has handled. A program that restarts keeps their ids in
// its database, in the transaction that does the work.
type receiver struct {
	secret string
	mutex  sync.Mutex
	seen   map[string]bool
}

func (r *receiver) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		http.Error(answer, "POST only", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(answer, request.Body, maxBody))
	if err != nil {
		http.Error(answer, "the body cannot be read", http.StatusBadRequest)
		return
	}
	if err := verify(request.Header, body, r.secret, time.Now()); err != nil {
		http.Error(answer, err.Error(), http.StatusBadRequest)
		return
	}
	var came event
	if err := json.Unmarshal(body, &came); err != nil {
		http.Error(answer, "the body is no JSON", http.StatusBadRequest)
		return
	}
	r.once(came)
	answer.WriteHeader(http.StatusNoContent)
}

func (r *receiver) once(came event) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !r.seen[came.ID] {
		handle(came)
		r.seen[came.ID] = true
	}
}

func handle(came event) {
	fmt.Println("handled", came.Type, came.ID)
}

func main() {
	secret := os.Getenv("TIDINGS_WEBHOOK_SECRET")
	if secret == "" {
		log.Fatal("set TIDINGS_WEBHOOK_SECRET to your signing secret")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	http.Handle("/hooks", &receiver{secret: secret, seen: map[string]bool{}})
	server := http.Server{Addr: "127.0.0.1:" + port, ReadHeaderTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}
